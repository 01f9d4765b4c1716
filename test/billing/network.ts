/** A call of the Admin API as it left the app. */
export interface Operation {
  readonly name: string;
  readonly variables: Record<string, unknown>;
}

/**
 * What becomes of a call. `answer` lets it reach the store: leave it out for an outage, or wait
 * behind it for an answer that is late.
 */
export type Incident = (answer: () => Promise<Response>) => Response | Promise<Response>;

/**
 * The network between an app and a store: it keeps what went over it, and things may happen to the
 * next calls.
 */
export class Network {
  readonly operations: Operation[] = [];
  /** What becomes of the next calls, in their order. */
  readonly next: Incident[] = [];
  /** What becomes of those that follow. @default they reach the store */
  others: Incident = pass;

  constructor(private readonly store: typeof globalThis.fetch) {}

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { query, variables = {} } = JSON.parse(String(init?.body)) as {
      query: string;
      variables?: Record<string, unknown>;
    };
    this.operations.push({ name: /(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? '', variables });
    const answer = (): Promise<Response> => this.store(input, init);
    return (this.next.shift() ?? this.others)(answer);
  };

  count(operation: string): number {
    return this.operations.filter(({ name }) => name === operation).length;
  }

  /**
   * Lets so many calls pass, and then something happens just before the next one reaches the store.
   */
  after(calls: number, happens: () => void): void {
    const last: Incident = (answer) => (happens(), answer());
    this.next.push(...Array.from({ length: calls }, () => pass), last);
  }
}

const pass: Incident = (answer) => answer();

/** The store's answer with something else in it. */
export function amended<Data>(amend: (data: Data) => void): Incident {
  return async (answer) => {
    const body = (await (await answer()).json()) as { data: Data };
    amend(body.data);
    return Response.json(body);
  };
}

/** An answer of GraphQL that comes from no store. */
export function replied(body: object): Incident {
  return () => Response.json(body);
}

/** No answer but a status. */
export function failed(status: number): Incident {
  return () => new Response('', { status });
}
