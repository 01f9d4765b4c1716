import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/install.mjs';
import { npmInstall } from './programs.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/**
 * Outside of the repository, of which each clone has its own: below it, Node and the compiler would
 * find in its node_modules what a user lacks.
 */
export const CONSUMERS = join(
  tmpdir(),
  `shopwright-package-${createHash('sha256').update(ROOT).digest('hex').slice(0, 12)}`,
);

/** What a Nest app of the given major version installs beside the package. */
export const nestApp = (major) => ({
  '@nestjs/common': `^${major}.0.0`,
  '@nestjs/core': `^${major}.0.0`,
  '@nestjs/platform-express': `^${major}.0.0`,
  '@nestjs/testing': `^${major}.0.0`,
  express: '^5.0.0',
  libsql: '^0.5.0',
  'reflect-metadata': '^0.2.0',
  rxjs: '^7.8.0',
});

/** What an app puts around its webhook handlers, on the adapters of the given major version. */
export const aroundHandlers = (major) => ({
  '@nestjs/platform-fastify': `^${major}.0.0`,
  '@nestjs/throttler': '^6.7.1',
  'class-transformer': '^0.5.1',
  'class-validator': '^0.15.1',
  'nestjs-pino': '^5.2.1',
  pino: '^10.4.0',
  'pino-http': '^11.0.0',
});

/**
 * A folder in which the tarball and `dependencies` are installed as in a user's project; the
 * programs named are copied into it, because a module finds its packages from where it lies. The
 * folder is kept, so that the next run installs no more than a new tarball. Answers its path.
 */
export async function consumer(
  name,
  tarball,
  { dependencies = {}, flags = [], programs = [], manifest = { type: 'module' } },
) {
  const folder = join(CONSUMERS, name);
  mkdirSync(folder, { recursive: true });
  const shopwright = `file:${tarball}`;
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, ...manifest, dependencies: { ...dependencies, shopwright } }),
  );
  await npmInstall(folder, ...flags);
  for (const program of programs)
    copyFileSync(join(HERE, program), join(folder, basename(program)));
  return folder;
}

/** Copies the files of a fixture over a consumer's folder. */
export function addFixture(folder, fixture) {
  cpSync(join(HERE, 'fixtures', fixture), folder, { recursive: true });
}
