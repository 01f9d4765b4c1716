// Runs inside a consumer's folder: `node load.mjs import|require <module> …` loads each module and
// fails unless it exports something. After `require()` it also imports the module: both must hand
// out the same objects, or `instanceof` would lie. For the same reason a class of which two modules
// export one must be the same in both, but for resources, which each API version has of its own.
import { createRequire } from 'node:module';

const [how, ...names] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const classes = new Map();
const isClass = (value) =>
  typeof value === 'function' && Function.prototype.toString.call(value).startsWith('class');

for (const name of names) {
  const loaded = how === 'require' ? require(name) : await import(name);
  const symbols = Object.keys(loaded);
  if (symbols.length === 0) throw new Error(`${name} exports nothing`);
  const imported = await import(name);
  const doubles = symbols.filter((symbol) => loaded[symbol] !== imported[symbol]);
  if (doubles.length > 0) throw new Error(`${name} exports these twice: ${doubles.join(', ')}`);
  if (name.includes('/rest/admin/')) continue;
  for (const symbol of symbols.filter((symbol) => isClass(imported[symbol]))) {
    const first = classes.get(symbol) ?? { name, value: imported[symbol] };
    if (first.value !== imported[symbol])
      throw new Error(`${name} and ${first.name} export different classes ${symbol}`);
    classes.set(symbol, first);
  }
}
