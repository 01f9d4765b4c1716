export interface Page {
  readonly apiKey: string;
  /** Address of App Bridge, which has to be the first script of the page. */
  readonly appBridge: string;
  /** HTML. */
  readonly content: string;
  /** A module. @default none */
  readonly script?: string;
}

/** What every page of the app has around its content. */
export function htmlPage({ apiKey, appBridge, content, script }: Page): string {
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
${content}
</main>
${script ? `<script type="module">${script}</script>` : ''}
</body>
</html>`;
}

const STYLE = `
:root { color-scheme: light; --ink: #303030; --quiet: #616161; --line: #e3e3e3; --accent: #1f5199; }
* { box-sizing: border-box; }
body { margin: 0; background: #f1f1f1; color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; display: grid; gap: 1rem; }
header p, .row p { margin: 0; color: var(--quiet); }
a { color: var(--accent); }
h1 { font-size: 1.35rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; }
label { display: block; font-weight: 600; margin-bottom: .35rem; }
.row { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; justify-content: space-between; }
input { flex: 1 1 14rem; min-width: 0; font: inherit; padding: .5rem .75rem; border: 1px solid #8a8a8a; border-radius: 8px; }
button, .button { font: inherit; font-weight: 600; color: #fff; background: var(--accent); border: 0; border-radius: 8px; padding: .5rem 1rem; cursor: pointer; text-decoration: none; }
button:disabled { opacity: .6; cursor: progress; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.list { list-style: none; margin: 0; padding: 0; }
.list li { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.list li:first-child { border-top: 0; }
.quiet, .list span { color: var(--quiet); }
.problem { color: #8e1f0b; margin: .5rem 0 0; }
`;
