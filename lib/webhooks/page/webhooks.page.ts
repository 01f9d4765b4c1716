import { createHash } from 'node:crypto';

import { html } from '../../core/http/html.js';
import { ageOf } from '../../core/time/age.js';
import type { DeadLetter } from '../queue/dead-letters.js';
import type { QueueDepth, RecentDelivery } from '../queue/queue-status.js';

/** What the page shows. */
interface WebhooksPageFacts {
  readonly apiKey: string;
  readonly now: Date;
  /** Proves that a form comes from this page. */
  readonly token: string;
  /** How many dead letters a form has just had handled again. */
  readonly replayed: string | undefined;
  /** `undefined` without a durable queue. */
  readonly depth: QueueDepth | undefined;
  readonly recent: readonly RecentDelivery[];
  readonly deadLetters: readonly DeadLetter[];
}

const STYLE = `
:root{color-scheme:light dark;--line:#d9dbe0;--card:#fff;--back:#f4f5f7;--text:#202223;--dim:#5c5f62;--bad:#b3261e;--good:#0b6e4f;--act:#1f5fbf}
@media (prefers-color-scheme:dark){:root{--line:#3a3d42;--card:#1f2124;--back:#141517;--text:#e6e7e9;--dim:#a4a8ae;--bad:#ff8a80;--good:#7fd6b3;--act:#8ab4f8}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;margin:0;padding:1.25rem;background:var(--back);color:var(--text)}
main{max-width:72rem;margin:0 auto}
h1{font-size:1.3rem;margin:0 0 1rem}h2{font-size:1.05rem;margin:1.75rem 0 .5rem}
p{margin:.25rem 0 1rem;color:var(--dim)}
.notice{border:1px solid var(--good);color:var(--good);border-radius:8px;padding:.5rem .75rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.75rem;margin:0}
dl div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem}
dt{color:var(--dim)}dd{margin:0;font-size:1.5rem;font-variant-numeric:tabular-nums}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line)}
th,td{text-align:left;padding:.45rem .7rem;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
td[data-of=Delivery],td[data-of=Reason]{overflow-wrap:anywhere}
th{color:var(--dim);font-weight:600;border-top:0}
.dead{color:var(--bad)}.handled{color:var(--good)}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:baseline;justify-content:space-between}
button{font:inherit;color:var(--act);background:none;border:1px solid currentColor;border-radius:6px;padding:.15rem .7rem;cursor:pointer;white-space:nowrap}
@media (max-width:640px){body{padding:.75rem}thead{display:none}tr{display:block;border-top:1px solid var(--line);padding:.4rem 0}
tr:first-child{border-top:0}td{display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem;border:0;padding:.15rem .7rem;overflow-wrap:anywhere}
td::before{content:attr(data-of);color:var(--dim)}button{min-height:2.75rem}}
`;

/** Allows nothing but the style of the page, and its forms. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page as HTML, without a script. */
export function pageOf(facts: WebhooksPageFacts): string {
  const { apiKey, replayed, depth } = facts;
  const notice =
    replayed === undefined
      ? ''
      : html`<p class="notice" role="status">To be handled again: ${replayed}</p>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>Webhooks</title><style>${STYLE}</style></head>
<body><main>
<h1>${html`Webhooks of ${apiKey}`}</h1>
${notice}
${depth ? depthOf(depth) : '<p>Handlers run while the platform waits: there is no durable queue, and so no dead letters. The platform delivers again what failed.</p>'}
${depth ? deadLettersOf(facts) : ''}
<h2>Last deliveries</h2>
${recentOf(facts)}
</main></body>
</html>
`;
}

function depthOf({ waiting, delayed, active, dead }: QueueDepth): string {
  const cards = [
    ['Waiting', waiting],
    ['To be repeated', delayed],
    ['Being handled', active],
    ['Dead letters', dead],
  ] as const;
  const card = ([name, count]: (typeof cards)[number]): string =>
    html`<div>
      <dt>${name}</dt>
      <dd>${count}</dd>
    </div>`;
  return `<dl>${cards.map(card).join('')}</dl>`;
}

function deadLettersOf({ deadLetters, token, now }: WebhooksPageFacts): string {
  if (deadLetters.length === 0) return '<h2>Dead letters</h2>\n<p>None.</p>';
  const field = html`<input type="hidden" name="token" value="${token}" />`;
  const rows = deadLetters.map(({ id, topic, shop, attempts, handlers = [], reason, failedAt }) => {
    const cells =
      html`<td data-of="Topic">${topic}</td>
        <td data-of="Shop">${shop}</td>
        <td data-of="Handlers">${handlers.join(', ')}</td>` +
      html`<td data-of="Attempts">${attempts}</td>
        <td data-of="Given up">${ago(failedAt, now)}</td>
        <td data-of="Reason">${reason}</td>`;
    const button = html`<button name="id" value="${id}" aria-label="Replay ${topic} of ${shop}">
      Replay
    </button>`;
    return `<tr>${cells}<td data-of=""><form method="post">${field}${button}</form></td></tr>`;
  });
  return `<div class="row"><h2>Dead letters, newest first</h2>
<form method="post">${field}<button name="all" value="1">Replay all</button></form></div>
${table(['Topic', 'Shop', 'Handlers', 'Attempts', 'Given up', 'Reason', ''], rows)}`;
}

function recentOf({ recent, depth, now }: WebhooksPageFacts): string {
  if (recent.length === 0) return '<p>None.</p>';
  const topicOf = ({ topic = '' }: RecentDelivery): string =>
    depth ? html`<td data-of="Topic">${topic}</td>` : '';
  const rows = recent.map(
    (delivery) =>
      `<tr>${topicOf(delivery)}${html`<td data-of="Shop">${delivery.shop}</td>
        <td data-of="Delivery">${delivery.webhookId}</td>
        <td data-of="State"><span class="${delivery.state}">${delivery.state}</span></td>
        <td data-of="Changed">${ago(delivery.changedAt, now)}</td>`}</tr>`,
  );
  return table([...(depth ? ['Topic'] : []), 'Shop', 'Delivery', 'State', 'Changed'], rows);
}

function table(names: readonly string[], rows: readonly string[]): string {
  const head = names.map((name) => html`<th scope="col">${name}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function ago(moment: Date, now: Date): string {
  return `${ageOf(now.getTime() - moment.getTime())} ago`;
}
