const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** A template of HTML whose values are escaped, for text and for quoted attributes alike. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string {
  return strings.reduce((page, part, index) => page + escapeHtml(String(values[index - 1])) + part);
}

/** A text as a literal that cannot end the script element it stands in. */
export function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}

/** How the toolkit's own small pages look. */
export const PAGE_STYLE = `<style>body{font:16px/1.5 system-ui,sans-serif;color:#303030;background:#f6f6f7;display:grid;place-items:center;min-height:90vh;margin:0}
main{background:#fff;border:1px solid #e3e3e3;border-radius:12px;padding:1.5rem 2rem;max-width:30rem}h1{font-size:1.1rem;margin:0 0 .5rem}p{margin:0}a{color:#005bd3}</style>`;
