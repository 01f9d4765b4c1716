/** An event in a shop, as the event page shows it. */
export interface StoreEvent {
  id: number;
  at: Date;
  kind:
    | 'install'
    | 'token'
    | 'api'
    | 'throttled'
    | 'bulk'
    | 'webhook'
    | 'product'
    | 'node'
    | 'billing'
    | 'proxy'
    | 'request'
    | 'fault';
  /** One line without secrets. */
  summary: string;
  /** The HTTP status of the response, if any. */
  status?: number;
  /** Details, such as a payload or an error. Without secrets. */
  detail?: unknown;
}
