/** A piece of HTML that is safe to send. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template: text (escaped), HTML (kept), a list of both, or nothing. */
type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/** A template whose values are escaped unless they are HTML already. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}

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

/** A value inside a `<script>`: JSON that cannot end the element. */
export function scriptValue(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
