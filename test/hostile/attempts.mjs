import { CORPUS, OWN_PATHS, ROUTE_HOSTS, ROUTE_PATHS } from './corpus.mjs';
import { MUTATORS, someMutations } from './mutators.mjs';
import { Sent, judge } from './oracle.mjs';
import { Random, seedOf } from './random.mjs';
import { render, send } from './wire.mjs';

const IN_FLIGHT = 32;
const BATCH = 256;
/** What goes on behind an answer is done by then, in milliseconds. */
const AFTERMATH = 30;

/** Sends requests to a host that is open, and judges what they bring about. */
export class Attempts {
  #last = 0;
  /** What the platform has made deliveries of, by body. */
  #issued = new Map();
  /** Shops whose installation was in order. */
  #granted = new Set();
  #sent = new Map();

  constructor(host) {
    this.host = host;
    this.rows = CORPUS[host.name];
    this.paths = ROUTE_HOSTS.includes(host.name) ? ROUTE_PATHS : OWN_PATHS;
  }

  /** The recipe of a request: which surface, and what is done to it. */
  recipe(seed, number) {
    const random = new Random(seedOf(seed, this.host.name, number));
    return {
      host: this.host.name,
      surface: random.pick(this.rows).surface,
      seed: random.seed(),
      mutations: someMutations(random),
    };
  }

  /** The request of a recipe; what is signed is as fresh as the moment. */
  request({ surface, seed, mutations }) {
    const row = this.rows.find((row) => row.surface === surface);
    const issued = (body, facts) => this.#issued.set(body.toString('base64'), facts);
    const made = row.make({ random: new Random(seed), paths: this.paths, issued });
    const request = { ...made, query: copied(made.query), headers: copied(made.headers), issued };
    // A change that does not fit what others have left of the request changes nothing.
    for (const { name, seed: own } of mutations) MUTATORS.get(name)(request, new Random(own));
    return request;
  }

  /**
   * Sends what the recipes say, and answers what is wrong with what came of it, with the recipes.
   */
  async run(recipes, progress = () => {}) {
    const findings = [];
    for (let from = 0; from < recipes.length && !this.host.ended; from += BATCH) {
      const made = await this.#sendAll(recipes.slice(from, from + BATCH));
      for (const attempt of made) {
        for (const found of judge(attempt))
          findings.push({ ...found, attempt, recipe: attempt.recipe });
      }
      if ((from / BATCH) % 4 === 3) progress(from + made.length);
    }
    if (this.host.ended) {
      findings.push({ kind: 'crash', what: this.host.ended, recipe: recipes[0] });
      await this.host.open();
    }
    return findings;
  }

  /** Sends a recipe alone. */
  async once(recipe) {
    const [attempt] = await this.#sendAll([recipe]);
    return attempt;
  }

  async #sendAll(recipes) {
    const made = [];
    const waiting = [...recipes];
    const worker = async () => {
      for (let recipe = waiting.shift(); recipe; recipe = waiting.shift())
        made.push(await this.#send(recipe));
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    await new Promise((resolve) => setTimeout(resolve, AFTERMATH));
    // What comes late, because its request was left alone, belongs to a request of an earlier
    // batch.
    const late = [];
    for (const entry of await this.host.notes()) {
      const attempt = this.#sent.get(entry.id);
      if (attempt) attempt.notes.push(entry);
      else if (entry.kind === 'crash') late.push(entry);
    }
    if (late.length > 0) made.at(-1).notes.push(...late);
    for (const { sent, notes } of made)
      for (const { kind, shop } of notes)
        if (kind === 'stored' && (sent.isCallbackOf(shop) || sent.hasTokenOf(shop)))
          this.#granted.add(shop);
    return made;
  }

  async #send(recipe) {
    const id = ++this.#last;
    const request = this.request(recipe);
    const wire = render(request, id);
    const attempt = {
      recipe,
      request: { ...request, isComplete: wire.isComplete },
      wire,
      sent: new Sent({ ...wire, method: request.method }, this.#issued),
      notes: [],
      granted: this.#granted,
    };
    this.#sent.set(id, attempt);
    attempt.outcome = await send(this.host.port, wire, request);
    return attempt;
  }
}

/** Rows of the corpus share what they are made of. */
const copied = (pairs) => pairs.map(([name, value]) => [name, value]);
