/**
 * What an app tells the compiler about itself, by adding to it. `restResources` types `api.rest`
 * and `admin.rest.resources` wherever they are not inferred from the options; the names in `plans`
 * are the only ones that calls about billing take.
 * @example
 * declare module 'shopwright' {
 *   interface Register {
 *     restResources: typeof import('shopwright/rest/admin/2026-07').restResources;
 *     plans: typeof plans;
 *   }
 * }
 */
export interface Register {}
