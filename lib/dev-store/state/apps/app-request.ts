/** What Flow sends with an action. */
export interface FlowAction {
  /** What the merchant entered for the action. @default {} */
  properties?: Readonly<Record<string, unknown>>;
  /** @default 'action' */
  handle?: string;
  /** The run; the same in each attempt of one run. @default a random UUID */
  actionRunId?: string;
  /** Further or replaced fields of the payload; one that is undefined is left out. */
  overrides?: Readonly<Record<string, unknown>>;
}

/** What a session token of an extension names. */
export interface ExtensionTokenOptions {
  /** The customer in checkout or in a customer account. @default nobody */
  customerId?: number | string;
  /** Claims to replace; one that is undefined is left out of the token. */
  overrides?: Record<string, unknown>;
}
