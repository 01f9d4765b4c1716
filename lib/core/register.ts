/**
 * Types that an app registers by augmenting this interface. `restResources` types `api.rest` and
 * `admin.rest.resources` where the options cannot be inferred; billing calls accept only the names
 * in `plans`.
 * @example
 * declare module 'shopwright' {
 *   interface Register {
 *     restResources: typeof import('shopwright/rest/admin/2026-07').restResources;
 *     plans: typeof plans;
 *   }
 * }
 */
export interface Register {}
