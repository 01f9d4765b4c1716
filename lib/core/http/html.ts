import escapeHtml from 'escape-html';

/** A template of HTML whose values are escaped, for text and for quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return strings.reduce((page, part, index) => page + escapeHtml(String(values[index - 1])) + part);
}

/** A text as a literal that cannot end the script element it stands in. */
export function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}
