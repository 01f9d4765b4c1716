import { SHOPS } from './platform.mjs';
import { VALUES } from './nasty.mjs';

/** What a header of HTTP cannot hold. */
export const UNPRINTABLE = /[^\x20-\x7e]/gu;

/** One of the headers; nothing when there is none. */
export const oneHeader = (request, random) => random.pick(request.headers);
/** One of the parameters, as name and value; nothing when there is none. */
export const onePair = (request, random) => random.pick(request.query);
/** The text with one character changed. */
export const flip = (text, random) => {
  const letters = [...text];
  const at = random.below(letters.length);
  return letters.with(at, String.fromCodePoint((letters[at].codePointAt(0) % 94) + 33)).join('');
};
/** A value that something may read otherwise. */
export const value = (random) => random.pick(VALUES);
/** Any shop. */
export const otherShop = (random) =>
  random.pick([...SHOPS.installed, ...SHOPS.gone, ...SHOPS.fresh, SHOPS.attacker]);
export const setHeader = (request, name, text) => {
  request.headers = [
    ...request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    [name, text],
  ];
};
export const setParam = (request, name, text) => {
  request.query = [
    ...request.query.filter(([other]) => other !== name),
    [name, encodeURIComponent(text)],
  ];
};
