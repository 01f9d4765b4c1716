import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall, run } from './programs.mjs';

const PLATFORM = process.platform === 'win32' ? 'win' : process.platform;
const BINARY = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';

/**
 * Answers the path of a Node of the wanted version: this very process's when it is of that line,
 * else that of an npm package. Answers `null` when no such package exists for this machine.
 */
export async function nodeOf(version, cache) {
  if (process.versions.node === version || process.versions.node.startsWith(`${version}.`))
    return process.execPath;
  const name = `node-${PLATFORM}-${process.arch}`;
  return binaryOf({ name, version, path: BINARY, folder: join(cache, `node-${version}`) });
}

const asked = new Map();

/**
 * Answers the path of a binary that an npm package holds, installed once into `folder`, however
 * many ask for it at once; `null` when no such package exists.
 * @param path of the binary in the package
 */
export function binaryOf(wanted) {
  const known = asked.get(wanted.folder) ?? install(wanted);
  asked.set(wanted.folder, known);
  return known;
}

async function install({ name, version, path, folder }) {
  const binary = join(folder, 'node_modules', name, path);
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: { [name]: version } }),
    );
    try {
      await npmInstall(folder);
    } catch (error) {
      if (/\b(?:E404|ETARGET)\b/.test(error.output)) return null;
      throw error;
    }
  }
  await run(binary, ['--version'], { cwd: folder });
  return binary;
}

/** True when this version of Node loads ES modules with `require()` without a flag. */
export async function canRequireModules(node) {
  const [major, minor] = (await run(node, ['-p', 'process.versions.node'], { cwd: process.cwd() }))
    .trim()
    .split('.')
    .map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
}
