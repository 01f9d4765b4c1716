interface HomePage {
  readonly apiKey: string;
  readonly appBridge: string;
  readonly shop: string;
}

/** The embedded page. All data arrives by `fetch`, which App Bridge signs with a fresh session token. */
export function homePage({ apiKey, appBridge, shop }: HomePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shopwright example</title>
<script data-api-key="${apiKey}" src="${appBridge}"></script>
<style>${STYLE}</style>
</head>
<body>
<main>
  <header>
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
  <section class="card" aria-labelledby="deliveries-title">
    <h2 id="deliveries-title">Webhooks received</h2>
    <ul id="deliveries" class="list" aria-live="polite"><li class="quiet">Nothing yet. Add a product to see one arrive.</li></ul>
  </section>
  <section class="card" aria-labelledby="hosts-title">
    <h2 id="hosts-title">One container, three hosts</h2>
    <ul id="hosts" class="list"></ul>
  </section>
</main>
<script type="module">${SCRIPT}</script>
</body>
</html>`;
}

const STYLE = `
:root { color-scheme: light; --ink: #303030; --quiet: #616161; --line: #e3e3e3; --accent: #1f5199; }
* { box-sizing: border-box; }
body { margin: 0; background: #f1f1f1; color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; display: grid; gap: 1rem; }
header p { margin: 0; color: var(--quiet); }
h1 { font-size: 1.35rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; }
label { display: block; font-weight: 600; margin-bottom: .35rem; }
.row { display: flex; gap: .5rem; flex-wrap: wrap; }
input { flex: 1 1 14rem; min-width: 0; font: inherit; padding: .5rem .75rem; border: 1px solid #8a8a8a; border-radius: 8px; }
button { font: inherit; font-weight: 600; color: #fff; background: var(--accent); border: 0; border-radius: 8px; padding: .5rem 1rem; cursor: pointer; }
button:disabled { opacity: .6; cursor: progress; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.list { list-style: none; margin: 0; padding: 0; }
.list li { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.list li:first-child { border-top: 0; }
.quiet, .list span { color: var(--quiet); }
.problem { color: #8e1f0b; margin: .5rem 0 0; }
`;

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

await Promise.allSettled([refresh(), refreshDeliveries(), refreshHosts()]);
setInterval(refreshDeliveries, 1500);
`;
