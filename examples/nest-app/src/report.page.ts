import { htmlPage } from './page.layout.js';

interface ReportPage {
  readonly apiKey: string;
  readonly appBridge: string;
  readonly shop: string;
  /** How many products there are of each status. */
  readonly counts: readonly (readonly [status: string, count: number])[];
}

/** The page for shops that have the plan. */
export function reportPage({ apiKey, appBridge, shop, counts }: ReportPage): string {
  const content = `  <header>
    <h1>Catalogue report</h1>
    <p>Included in your plan. <a href="/?shop=${shop}">Back to the products</a></p>
  </header>
  <section class="card" aria-labelledby="counts-title">
    <h2 id="counts-title">Products by status</h2>
    <ul id="counts" class="list">${counts.map(([status, count]) => `<li>${status}<span>${count}</span></li>`).join('')}</ul>
  </section>`;
  return htmlPage({ apiKey, appBridge, content });
}
