import type { SessionTokenPayload } from '../core/crypto/session-token.verifier.js';
import type { HeaderList, ResponseDecision } from '../core/decision.js';
import type { Session } from '../sessions/session.js';
import type { ShopClients } from './clients/shop-clients.js';

/** A request of the admin, or of a user of a non-embedded app, that may go on. */
export interface AdminGranted extends ShopClients {
  readonly kind: 'granted';
  /** What the request's session token says, when it came with one. */
  readonly sessionToken?: SessionTokenPayload | undefined;
  /** What the reply to a page load has to carry, such as who may frame the page. */
  readonly headers: HeaderList;
}

/** A request that may go on, with headers the reply has to carry. */
export interface SessionGranted {
  readonly kind: 'granted';
  readonly session: Session;
  readonly headers: HeaderList;
}

/** What becomes of a request of the app's own pages and API. */
export type AdminDecision = AdminGranted | ResponseDecision;
/** What becomes of the end of an OAuth grant. */
export type CallbackDecision = SessionGranted | ResponseDecision;
/** What becomes of a page that needs an installed shop. */
export type InstalledDecision = SessionGranted | ResponseDecision;
