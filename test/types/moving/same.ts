/** True when two types are the same, not only assignable to each other. */
export type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles for `true` alone. */
export declare function same<Claim extends true>(): Claim;
