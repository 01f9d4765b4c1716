import type { LoginForm } from '../../auth/login/login.js';
import type { Clock } from '../../core/time/clock.js';
import { RawBodyUnavailableError } from '../../core/core.errors.js';
import type { DeniedDecision } from '../../core/decision.js';
import { denialOfBody } from '../../core/http/body-denial.js';
import { readBody } from '../../core/http/web-http.js';
import { QUERY } from '../../core/vendor.js';

/** In bytes. Far more than a form with the name of a shop in it can have. */
const MAX_FORM_SIZE = 64 * 1024;

/** What a login request says. */
interface SubmittedLogin extends LoginForm {
  readonly kind: 'form';
}

/** What `login()` reads of a request: it may be an object of these alone. */
type LoginRequest = Pick<Request, 'url' | 'method' | 'formData'> & Partial<Request>;

/** Reads the login form of a request. A form that is not read to its end is denied. */
export async function readLogin(
  request: LoginRequest,
  clock: Clock,
): Promise<SubmittedLogin | DeniedDecision> {
  const isSubmitted = request.method !== 'GET';
  const inQuery = new URL(request.url).searchParams.get(QUERY.shop);
  if (inQuery || !isSubmitted) return { kind: 'form', shop: inQuery ?? undefined, isSubmitted };
  try {
    const form = await readForm(request, clock);
    const inForm = form?.get(QUERY.shop);
    return { kind: 'form', shop: typeof inForm === 'string' ? inForm : undefined, isSubmitted };
  } catch (error) {
    if (error instanceof RawBodyUnavailableError && error.reason === 'already_read')
      return { kind: 'form', shop: undefined, isSubmitted };
    return denialOfBody(error);
  }
}

/** `undefined` for a body that is not a form. */
async function readForm(request: LoginRequest, clock: Clock): Promise<FormData | undefined> {
  if (!isWhole(request)) return request.formData();
  const body = await readBody(request, MAX_FORM_SIZE, clock);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return new Response(new Uint8Array(body), { headers }).formData().catch(() => undefined);
}

/** True for a request whose body can be read piece by piece, up to a limit. */
function isWhole(request: LoginRequest): request is Request {
  return request.headers !== undefined && request.body !== undefined;
}
