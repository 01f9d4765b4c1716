import { randomBytes } from 'node:crypto';

interface Expiring<T> {
  value: T;
  expiresAt: number;
}

/** How long a merchant may take for a decision, in milliseconds. */
export const CONSENT_LIFETIME = 10 * 60_000;

/** Ids that can be exchanged once, within their lifetime, for their value. */
export class OneTimeIds<T> {
  private readonly open = new Map<string, Expiring<T>>();

  constructor(
    private readonly lifetime: number,
    private readonly now: () => Date,
  ) {}

  issue(value: T): string {
    const time = this.now().getTime();
    for (const [id, { expiresAt }] of this.open) if (expiresAt <= time) this.open.delete(id);
    const id = randomBytes(16).toString('hex');
    this.open.set(id, { value, expiresAt: time + this.lifetime });
    return id;
  }

  /**
   * The value of an id, which cannot be used again; undefined when the id is unknown, used, expired
   * or not `fitting`.
   */
  take(id: string, fitting: (value: T) => boolean = () => true): T | undefined {
    const found = this.open.get(id);
    if (!found || !fitting(found.value)) return undefined;
    this.open.delete(id);
    return found.expiresAt > this.now().getTime() ? found.value : undefined;
  }
}
