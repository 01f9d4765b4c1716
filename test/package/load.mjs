// Runs inside a consumer's folder: `node load.mjs import|require <module> …` loads each module and
// fails unless it exports something. After `require()` it also imports the module: both must hand
// out the same objects, or `instanceof` would lie.
import { createRequire } from 'node:module';

const [how, ...names] = process.argv.slice(2);
const require = createRequire(import.meta.url);

for (const name of names) {
  const loaded = how === 'require' ? require(name) : await import(name);
  const symbols = Object.keys(loaded);
  if (symbols.length === 0) throw new Error(`${name} exports nothing`);
  const imported = await import(name);
  const doubles = symbols.filter((symbol) => loaded[symbol] !== imported[symbol]);
  if (doubles.length > 0) throw new Error(`${name} exports these twice: ${doubles.join(', ')}`);
}
