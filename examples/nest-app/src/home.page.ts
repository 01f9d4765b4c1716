import { htmlPage } from './page.layout.js';

interface HomePage {
  readonly apiKey: string;
  readonly appBridge: string;
  readonly shop: string;
}

/**
 * The embedded page. All data arrives by `fetch`, which App Bridge signs with a fresh session
 * token.
 */
export function homePage({ apiKey, appBridge, shop }: HomePage): string {
  const content = `  <header>
    <h1>Products</h1>
    <p>Connected to <strong id="shop">${shop}</strong></p>
  </header>
  <section class="card">
    <form id="create">
      <label for="title">New product</label>
      <div class="row">
        <input id="title" name="title" required maxlength="255" placeholder="Short sleeve t-shirt" autocomplete="off">
        <button type="submit">Add product</button>
      </div>
      <p id="problem" class="problem" role="alert" hidden></p>
    </form>
  </section>
  <section class="card" aria-labelledby="list-title">
    <h2 id="list-title">Your catalogue</h2>
    <ul id="products" class="list"><li class="quiet">Loading…</li></ul>
  </section>
  <section class="card" aria-labelledby="report-title">
    <h2 id="report-title">Catalogue report</h2>
    <div class="row">
      <p id="plan">Loading…</p>
      <a class="button" href="/reports?shop=${shop}">Open the report</a>
    </div>
  </section>
  <section class="card" aria-labelledby="deliveries-title">
    <h2 id="deliveries-title">Webhooks received</h2>
    <ul id="deliveries" class="list" aria-live="polite"><li class="quiet">Nothing yet. Add a product to see one arrive.</li></ul>
  </section>
  <section class="card" aria-labelledby="hosts-title">
    <h2 id="hosts-title">One container, three hosts</h2>
    <ul id="hosts" class="list"></ul>
  </section>`;
  return htmlPage({ apiKey, appBridge, content, script: SCRIPT });
}

const SCRIPT = `
const byId = (id) => document.getElementById(id);

function show(list, rows, empty) {
  byId(list).replaceChildren(...(rows.length ? rows : [[empty, '']]).map(([text, note]) => {
    const item = document.createElement('li');
    item.append(text);
    if (note) item.append(Object.assign(document.createElement('span'), { textContent: note }));
    return item;
  }));
}

async function api(path, init) {
  const response = await fetch(path, init);
  const body = await response.json();
  if (!response.ok) throw new Error(body.message ?? 'The request failed.');
  return body;
}

async function refresh() {
  const { products } = await api('/api/products');
  show('products', products.map(({ title, status }) => [title, status.toLowerCase()]), 'No products yet.');
}

async function refreshDeliveries() {
  const { deliveries } = await api('/api/deliveries');
  show('deliveries', deliveries.map(({ topic, title }) => [title, topic]), 'Nothing yet. Add a product to see one arrive.');
}

async function refreshHosts() {
  const hosts = [['NestJS', '/api/shop'], ['Express', '/express/shop'], ['Remix', '/remix/shop']];
  const rows = await Promise.all(hosts.map(([host, path]) => api(path).then(({ shop }) => [host, shop.name], (error) => [host, error.message])));
  show('hosts', rows, '');
}

async function refreshPlan() {
  const { plan } = await api('/api/plan');
  byId('plan').textContent = plan ? 'Your plan: ' + plan : 'Part of the plan Pro';
}

byId('create').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector('button');
  button.disabled = true;
  byId('problem').hidden = true;
  try {
    await api('/api/products', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: form.title.value }) });
    form.reset();
    await refresh();
  } catch (error) {
    byId('problem').textContent = error.message;
    byId('problem').hidden = false;
  } finally {
    button.disabled = false;
  }
});

await Promise.allSettled([refresh(), refreshPlan(), refreshDeliveries(), refreshHosts()]);
setInterval(refreshDeliveries, 1500);
`;
