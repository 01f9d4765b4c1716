import { Session } from './session.js';
import { WrappedSessionStorage } from './encryption/wrapped-session.storage.js';

/**
 * Makes a storage that is not ours (an official adapter, the app's own class) answer with our
 * {@link Session}.
 */
export class ForeignSessionStorage extends WrappedSessionStorage {
  protected stored(session: Session): Session {
    return session;
  }

  protected loaded(session: Session): Session {
    return session instanceof Session ? session : new Session(session);
  }

  protected async swap(session: Session, previous: Session): Promise<boolean> {
    return (await this.storage.replaceSession?.(session, previous)) ?? false;
  }
}
