import { setTimeout as sleep } from 'node:timers/promises';

import { deliver, visit } from './platform.requests.mjs';

/** Milliseconds between two visits, and between two attempts of a delivery. */
const PACE = 100;
const RETRY_AFTER = 1_000;

/** A stream of deliveries, each tried until it is accepted, and of visits of merchants. */
export class Load {
  /** Every answer: `{ kind, key, status, error, ms, at }`. */
  answers = [];
  deliveries = [];
  #isOver = false;
  #isGivenUp = false;
  #work;

  /**
   * @param options.pace milliseconds between two new deliveries
   * @param options.shops who visits; nobody when there are none
   * @param options.appOf the app that an attempt is made at, by its number
   */
  constructor({ name, pace = PACE, shops = [], appOf, payload }) {
    this.#work = Promise.all([
      this.#stream(pace, (number) => this.#deliver(`${name} ${number}`, appOf, payload)),
      this.#visits(shops, appOf),
    ]);
  }

  /** Begins nothing any more, and resolves when every delivery is accepted, or `ms` are over. */
  async finish(ms) {
    this.#isOver = true;
    const limit = setTimeout(() => (this.#isGivenUp = true), ms);
    await this.#work;
    clearTimeout(limit);
  }

  /** Begins nothing any more, and lets what is left be. */
  stop() {
    this.#isOver = true;
    this.#isGivenUp = true;
  }

  get refused() {
    return this.answers.filter(({ status }) => status !== 200);
  }

  get slowest() {
    return Math.max(...this.answers.map(({ ms }) => ms));
  }

  async #visits(shops, appOf) {
    if (shops.length === 0) return;
    await this.#stream(PACE, async (number) => {
      const shop = shops[number % shops.length];
      this.#note('visit', shop, await visit(appOf(0), shop));
    });
  }

  async #stream(pace, begin) {
    const begun = [];
    for (let number = 0; !this.#isOver; number++) {
      begun.push(begin(number));
      await sleep(pace);
    }
    await Promise.all(begun);
  }

  async #deliver(webhookId, appOf, payload) {
    this.deliveries.push(webhookId);
    for (let attempt = 0; !this.#isGivenUp; attempt++) {
      const answer = await deliver(appOf(attempt), {
        shop: 'load.myshopify.com',
        webhookId,
        payload,
      });
      this.#note('delivery', webhookId, answer);
      if (answer.status === 200) return;
      await sleep(RETRY_AFTER);
    }
  }

  #note(kind, key, answer) {
    this.answers.push({ kind, key, ...answer, at: Date.now() });
  }
}
