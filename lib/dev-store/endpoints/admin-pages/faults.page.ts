import type { ActiveFault, Fault } from '../../faults/fault.js';
import type { Faults } from '../../faults/faults.js';
import { html, type Html } from '../../http/page-html.js';
import { adminBody, pageReply } from '../../http/page-layout.js';
import type { StoreReply } from '../../http/store-request.js';
import { postForm, problemBox, type PageToken } from './page-forms.js';
import type { TrafficShop } from './traffic.pages.js';

/** The part of a shop that the page of its faults shows. */
export interface FaultsShop extends TrafficShop {
  readonly faults: Faults;
}

const PATH = '/admin/faults';

/** What the form offers, with the effect of each. */
const EFFECTS: ReadonlyArray<readonly [value: string, label: string, effect: object]> = [
  ['502', 'Requests: answered with 502', { status: 502 }],
  ['401', 'Requests: every token of the app revoked', { revokesTokens: true }],
  ['throttled', 'Requests: throttled', { throttled: true }],
  ['html', 'Requests: answered with HTML', { html: true }],
  ['slow', 'Requests: 5 seconds late', { latency: 5000 }],
  ['reset', 'Requests: connection reset', { reset: true }],
  ['lost', 'Requests: carried out, answer lost', { reset: true, executed: true }],
  ['truncated', 'Requests: answer cut in the middle', { truncated: true }],
  ['copies', 'Deliveries: sent twice', { copies: 2 }],
  ['late', 'Deliveries: 30 seconds late', { late: 30_000 }],
  ['order', 'Deliveries: after the next one', { outOfOrder: true }],
  ['wrong', 'Deliveries: signed with another secret', { signature: 'wrong' }],
];
/** From this index on, the effects are for deliveries. */
const FIRST_OF_DELIVERIES = EFFECTS.findIndex(([, label]) => label.startsWith('Deliveries'));

/** The faults that may still happen, with a form to add one. */
export function faultsPage(shop: FaultsShop, pageToken: PageToken, problem?: string): StoreReply {
  const { active } = shop.faults;
  const content = html`<main class="main">
    <div class="head">
      <h1>Faults</h1>
      ${
        active.length > 0
          ? postForm(`${PATH}/clear`, pageToken, html`<button class="danger">Clear all</button>`)
          : undefined
      }
    </div>
    ${problemBox(problem)}
    <section class="card">
      ${
        active.length === 0
          ? html`<p class="soft">Nothing goes wrong on command.</p>`
          : html`<ul class="rows">
              ${active.map((fault) => row(fault, pageToken))}
            </ul>`
      }
    </section>
    <section class="card">
      <h2>Add a fault</h2>
      ${postForm(PATH, pageToken, FIELDS, 'block')}
    </section>
  </main>`;
  return pageReply({
    title: `Faults · ${shop.name}`,
    status: problem ? 422 : 200,
    body: adminBody(shop, shop.installed.apps(), PATH, content),
  });
}

/**
 * The fault that a posted form describes. What it is for depends on the effect: a path, where it
 * begins with a slash, or a GraphQL operation, or a topic.
 */
export function faultOf(form: URLSearchParams): Fault {
  const index = EFFECTS.findIndex(([value]) => value === form.get('effect'));
  const effect = EFFECTS[index]?.[2];
  const target = form.get('target')?.trim() || '*';
  const times = form.get('times')?.trim();
  const isDelivery = index >= FIRST_OF_DELIVERIES;
  const isPath = target === '*' || target.startsWith('/');
  const on = isDelivery ? { topic: target } : isPath ? { path: target } : { operation: target };
  return { on, ...effect, ...(times ? { times: Number(times) } : {}) } as Fault;
}

const FIELDS: Html = html`<div class="fields">
    <div class="wide">
      <label for="effect">What happens</label
      ><select id="effect" name="effect">
        ${EFFECTS.map(([value, label]) => html`<option value="${value}">${label}</option>`)}
      </select>
    </div>
    <div>
      <label for="target">Path, operation or topic</label
      ><input id="target" name="target" value="*" required maxlength="200" />
    </div>
    <div>
      <label for="times">How often</label
      ><input id="times" name="times" inputmode="numeric" pattern="[1-9][0-9]*" value="1" />
    </div>
  </div>
  <div class="actions"><button class="primary">Add fault</button></div>`;

function row({ id, fault, hits }: ActiveFault, pageToken: PageToken): Html {
  const { on, times, probability, ...effects } = fault;
  const words = (value: object): string =>
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => (one === true ? name : `${name} ${String(one)}`))
      .join(', ');
  const often = [
    `${hits} of ${times ?? 'any number of'} times`,
    ...(probability === undefined ? [] : [`probability ${probability}`]),
  ];
  const button = html`<button>Remove<span class="visually-hidden"> fault ${id}</span></button>`;
  return html`<li>
    <div class="grow">
      <strong>${words(effects)}</strong>
      <div class="mono">${words(on) || 'every request'}</div>
      <div class="soft small">${often.join(', ')}</div>
    </div>
    ${postForm(`${PATH}/${id}/remove`, pageToken, button)}
  </li>`;
}
