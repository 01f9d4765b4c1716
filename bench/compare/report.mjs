// The table of a run, for the terminal and for RESULTS.md.
import { median } from './statistics.mjs';

const HEADINGS = ['row', 'ours', 'against', 'ratio (least to most)', 'must', 'goal', 'met'];

const digits = (number) => number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0);

/**
 * The cells of a row. @param samples of all sides of the group, by name; the samples of a round
 * have the same index
 */
export function cellsOf(group, { name, ours, against, must, goal }, samples) {
  const what = `${group.title}: ${name}`;
  const wrong = [ours, against].flatMap((side) =>
    samples[side].filter((sample) => sample.wrong).map((sample) => `${side}: ${sample.wrong}`),
  );
  const limit = (value) =>
    value === undefined ? '–' : `${group.sign} ${Number(value.toFixed(2))}`;
  const limits = [limit(must), limit(goal)];
  if (wrong.length > 0) return { cells: [what, '–', '–', '–', ...limits, 'BAD'], wrong: wrong[0] };
  const values = (side) => samples[side].map(({ value }) => value);
  const ratios = values(ours).map((value, round) => group.ratio(value, values(against)[round]));
  const ratio = median(ratios);
  const figure = (side) => `${digits(median(values(side)))} ${group.unit}`;
  const range = `${digits(ratio)} (${digits(Math.min(...ratios))}–${digits(Math.max(...ratios))})`;
  const met =
    must === undefined
      ? '–'
      : group.holds(ratio, goal)
        ? 'goal'
        : group.holds(ratio, must)
          ? 'must'
          : 'no';
  return { cells: [what, figure(ours), `${figure(against)} ${against}`, range, ...limits, met] };
}

/** Rows of cells as a table in Markdown, its columns aligned. */
export function tableOf(rows) {
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((cells) => cells[column].length)));
  const line = (cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}
