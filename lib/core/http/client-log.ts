/**
 * What a standalone client tells its logger, under the names the platform's own clients use. The
 * access token is taken out.
 */
export type ClientLog =
  | {
      readonly type: 'HTTP-Response';
      readonly content: { readonly requestParams: RequestParams; readonly response: Response };
    }
  | {
      readonly type: 'HTTP-Retry';
      readonly content: {
        readonly requestParams: RequestParams;
        /** Not there when the network failed. */
        readonly lastResponse?: Response;
        /** Counts from 1. */
        readonly retryAttempt: number;
        readonly maxRetries: number;
      };
    }
  | {
      readonly type: 'HTTP-Response-GraphQL-Deprecation-Notice';
      readonly content: {
        readonly requestParams: RequestParams;
        readonly deprecationNotice: string;
      };
    }
  | {
      readonly type: 'Unsupported_Api_Version';
      readonly content: {
        readonly apiVersion: string;
        readonly supportedApiVersions: readonly string[];
      };
    };

/** URL and init of a request, as `fetch` took them, the access token replaced. */
export type RequestParams = readonly [
  url: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
];

export type ClientLogger = (log: ClientLog) => void;
