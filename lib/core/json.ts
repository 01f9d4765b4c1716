/**
 * What the caller has given no type to: replies and payloads, whose shape is the platform's. As in
 * the platform's own libraries it may be used as it is, so that code moves over unchanged; name a
 * type, or register the operation, and the compiler checks.
 */
export type Untyped = any;
