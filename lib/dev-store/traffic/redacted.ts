/** The fields of bodies, forms and queries whose values are secret. */
const SECRET_FIELD =
  /^(?:access_token|accessToken|refresh_token|client_secret|subject_token|id_token|code|session|session_token|token|assertion|client_assertion|password|page_token|consent)$/;
const SECRET_HEADER = /^(?:authorization|cookie|set-cookie|proxy-authorization|.*-token)$/i;
/** Tokens of the platform, and JSON Web Tokens, wherever they stand. */
const TOKENS = /\bshp[a-z]{2}_[0-9A-Za-z]+|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const REDACTED = '[redacted]';

/** Headers by lower-case name, those of one name joined by commas, without secrets. */
export function redactedHeaders(
  headers: Iterable<readonly [string, string]>,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const safe = SECRET_HEADER.test(key) ? REDACTED : redactedAddress(value);
    shown[key] = key in shown ? `${shown[key]}, ${safe}` : safe;
  }
  return shown;
}

/** A path with its query, or a URL, without secrets. */
export function redactedAddress(address: string): string {
  const at = address.indexOf('?');
  if (at < 0) return redactedText(address);
  return `${redactedText(address.slice(0, at))}?${redactedForm(address.slice(at + 1))}`;
}

/** A body without secrets: by its fields for JSON and forms, by the form of tokens for the rest. */
export function redactedBody(body: string, contentType: string): string {
  if (contentType.includes('urlencoded')) return redactedForm(body);
  if (!contentType.includes('json')) return redactedText(body);
  try {
    const replace = (name: string, value: unknown): unknown =>
      typeof value === 'string' && SECRET_FIELD.test(name) ? REDACTED : value;
    return redactedText(JSON.stringify(JSON.parse(body), replace));
  } catch {
    return redactedText(body);
  }
}

function redactedForm(form: string): string {
  return form
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return SECRET_FIELD.test(name) ? `${name}=${REDACTED}` : redactedText(pair);
    })
    .join('&');
}

function redactedText(text: string): string {
  return text.replace(TOKENS, REDACTED);
}
