import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './source-tree.js';

const IMPORTS = 'eslint(no-restricted-imports)';
const GLOBALS = 'eslint(no-restricted-globals)';
const PROPERTIES = 'eslint(no-restricted-properties)';

/** Sources by file; each line with the rule it breaks, or alone when it is allowed. */
const SOURCES: Record<string, [line: string, rule?: string][]> = {
  'lib/core/a.ts': [
    ["export * from './config/x.js';"],
    ["export * from '../sessions/x.js';", IMPORTS],
    ["export type * from '../platform/kernel/x.js';", IMPORTS],
    ["export * from './nest/x.js';"],
  ],
  'lib/core/config/a.ts': [
    ["export * from './platform-config.js';"],
    ["export * from '../../auth/x.js';", IMPORTS],
  ],
  'lib/sessions/storages/a.ts': [
    ["export * from '../../core/x.js';"],
    ["export * from '../../rest-client/x.js';", IMPORTS],
  ],
  'lib/rest-client/a.ts': [
    ["export * from '../sessions/x.js';"],
    ["export * from '../graphql-client/x.js';", IMPORTS],
  ],
  'lib/graphql-client/a.ts': [
    ["export * from '../sessions/x.js';"],
    ["export * from '../rest-client/x.js';", IMPORTS],
  ],
  'lib/auth/oauth/a.ts': [
    ["export * from '../../graphql-client/x.js';"],
    ["export * from '../../billing/x.js';", IMPORTS],
    ["export * from '../../webhooks/x.js';", IMPORTS],
    ["export * from '../../dev-store/x.js';", IMPORTS],
  ],
  'lib/auth/credentials/a.ts': [
    ["export * from '../auth.errors.js';"],
    ["export type * from '../auth.options.js';", IMPORTS],
    ["export * from '../installations/x.js';", IMPORTS],
    ["export type * from '../tokens/x.js';", IMPORTS],
  ],
  'lib/auth/tokens/a.ts': [
    ["export * from '../clients/x.js';"],
    ["export type * from '../lifecycle/x.js';", IMPORTS],
    ["export * from '../../billing/x.js';", IMPORTS],
    ["export * from '@nestjs/common';", IMPORTS],
  ],
  'lib/auth/lifecycle/lifecycle.explorer.ts': [
    ["export * from '@nestjs/core';"],
    ["export * from '../tokens/x.js';"],
    ["export type * from '../admin/x.js';", IMPORTS],
  ],
  'lib/auth/scopes/a.ts': [
    ["export * from '../responses/x.js';"],
    ["export * from '../oauth/x.js';", IMPORTS],
  ],
  'lib/auth/login/a.ts': [
    ["export * from '../responses/x.js';"],
    ["export * from '../oauth/x.js';", IMPORTS],
  ],
  'lib/auth/admin/a.ts': [
    ["export * from '../oauth/x.js';"],
    ["export type * from '../auth.service.js';", IMPORTS],
    ["export * from '../../webhooks/x.js';", IMPORTS],
  ],
  'lib/billing/a.ts': [
    ["export * from '../auth/x.js';"],
    ["export * from '../webhooks/x.js';", IMPORTS],
  ],
  'lib/webhooks/a.ts': [
    ["export * from '../billing/x.js';"],
    ["export const boot = () => import('../platform/nest/x.js');", IMPORTS],
    ["export * from '../integrations/nest/x.js';", IMPORTS],
  ],
  'lib/platform/kernel/a.ts': [
    ["export * from '../../webhooks/x.js';"],
    ["export * from './platform.options.js';"],
    ["export * from '../nest/x.js';"],
    ["export * from '../../platform.module.js';", IMPORTS],
    ["export * from '../../integrations/nest/x.js';", IMPORTS],
    ["export * from '@nestjs/common';", IMPORTS],
  ],
  'lib/platform.module.ts': [
    ["export * from './integrations/nest/x.js';"],
    ["export * from './dev-store/x.js';", IMPORTS],
  ],
  'lib/integrations/express/a.ts': [
    ["export * from '../../platform/kernel/x.js';"],
    ["export * from '../../platform.module.js';", IMPORTS],
    ["export * from '../nest/x.js';", IMPORTS],
    ["export * from '@nestjs/common';", IMPORTS],
  ],
  'lib/integrations/remix/react/a.ts': [
    ["export * from '../x.js';"],
    ["export * from '../../express/x.js';", IMPORTS],
    ["export * from '../../react-router/x.js';", IMPORTS],
    ["export * from '../../web/x.js';"],
  ],
  'lib/integrations/web/a.ts': [
    ["export * from '../../platform/host/x.js';"],
    ["export * from '../remix/x.js';", IMPORTS],
    ["export * from '../nest/x.js';", IMPORTS],
  ],
  'lib/integrations/nest/a.ts': [
    ["export * from '@nestjs/common';"],
    ["export * from '../remix/x.js';", IMPORTS],
  ],
  'lib/dev-store/a.ts': [
    ["export type * from '../core/x.js';"],
    ["export * from '../core/x.js';", IMPORTS],
    ['export const now = Date.now();'],
  ],
  'lib/dev-store/base/a.ts': [
    ["export * from './x.js';"],
    ["export type * from '../http/x.js';", IMPORTS],
    ["export * from '../state/billing/x.js';", IMPORTS],
    ["export type * from '../../core/x.js';"],
    ["export * from '../../core/x.js';", IMPORTS],
  ],
  'lib/dev-store/http/a.ts': [
    ["export * from '../base/x.js';"],
    ["export type * from '../state/x.js';", IMPORTS],
  ],
  'lib/dev-store/faults/a.ts': [
    ["export * from '../http/x.js';"],
    ["export type * from '../traffic/x.js';", IMPORTS],
    ["export type * from '../state/x.js';", IMPORTS],
  ],
  'lib/dev-store/graphql/a.ts': [
    ["export * from '../http/x.js';"],
    ["export type * from '../state/apps/x.js';", IMPORTS],
  ],
  'lib/dev-store/state/shop-state.ts': [
    ["export * from './billing/x.js';"],
    ["export type * from '../dev-shop.js';", IMPORTS],
  ],
  'lib/dev-store/state/apps/a.ts': [
    ["export * from '../billing/x.js';"],
    ["export * from '../../http/x.js';"],
    ["export type * from '../../graphql/x.js';", IMPORTS],
    ["export * from '../../endpoints/rest/x.js';", IMPORTS],
    ["export * from '../../../billing/x.js';", IMPORTS],
  ],
  'lib/dev-store/dev-shop.ts': [
    ["export * from './state/x.js';"],
    ["export type * from './endpoints/x.js';", IMPORTS],
  ],
  'lib/dev-store/endpoints/rest/a.ts': [
    ["export * from '../billing/x.js';"],
    ["export * from '../../graphql/x.js';"],
    ["export type * from '../../dev-shop.js';", IMPORTS],
    ["export type * from '../../index.js';", IMPORTS],
    ["export * from '../../../webhooks/x.js';", IMPORTS],
  ],
  'lib/dev-store/dev-store.ts': [
    ["export * from './endpoints/x.js';"],
    ["export * from '@nestjs/common';", IMPORTS],
  ],

  'lib/auth/b.ts': [
    ["export type * from '@nestjs/common';"],
    ["export * from '@nestjs/common';", IMPORTS],
    ["export * from 'rxjs/operators';", IMPORTS],
    ["import 'reflect-metadata';", IMPORTS],
  ],
  'lib/auth/auth.providers.ts': [
    ["export * from '../core/x.js';"],
    ["export * from '@nestjs/common';", IMPORTS],
  ],
  'lib/auth/auth.nest.providers.ts': [
    ["export * from '@nestjs/common';"],
    ["export * from '../webhooks/x.js';", IMPORTS],
  ],
  'lib/auth/auth.module.ts': [
    ["export * from '@nestjs/common';"],
    ["export * from '../webhooks/x.js';", IMPORTS],
  ],
  'lib/webhooks/handlers/webhook.explorer.ts': [["export * from '@nestjs/core';"]],
  'lib/webhooks/handlers/webhook-handler.factory.ts': [["export * from '@nestjs/core';"]],
  'lib/platform/nest/platform-container.ts': [
    ["export const load = () => import('@nestjs/core');"],
  ],

  'lib/auth/c.ts': [
    ['export const a = await Promise.resolve(1);', 'node(no-top-level-await)'],
    ['export const b = (value: any): unknown => value;', 'typescript(no-explicit-any)'],
    ["console.log('c');", 'eslint(no-console)'],
    ['export const d = Date.now();', PROPERTIES],
    ['setTimeout(() => undefined, 1);', GLOBALS],
    ["void fetch('https://example.com');", GLOBALS],
    ["void globalThis.fetch('https://example.com');", PROPERTIES],
    ['export const e = (fetch: () => void): void => fetch();'],
    ['export type F = typeof globalThis.fetch;'],
  ],
  'lib/core/time/clock.ts': [['setTimeout(() => Date.now(), 1);']],
  'lib/core/circle-a.ts': [["export * from './circle-b.js';", 'import(no-cycle)']],
  'lib/core/circle-b.ts': [["export * from './circle-a.js';", 'import(no-cycle)']],
  'lib/auth/circle-a.ts': [["export type * from './circle-b.js';", 'import(no-cycle)']],
  'lib/auth/circle-b.ts': [["export type * from './circle-a.js';", 'import(no-cycle)']],
  'lib/dev-store/base/circle-a.ts': [["export type * from './circle-b.js';", 'import(no-cycle)']],
  'lib/dev-store/base/circle-b.ts': [["export type * from './circle-a.js';", 'import(no-cycle)']],
};

interface Finding {
  filename: string;
  code: string;
  labels: { span: { line: number } }[];
}

describe('the lint rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
  let findings: Finding[] = [];

  beforeAll(() => {
    copyFileSync(join(ROOT, 'oxlint.config.mjs'), join(folder, 'oxlint.config.mjs'));
    for (const [file, lines] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), lines.map(([line]) => `${line}\n`).join(''));
    }
    const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(
      process.execPath,
      [oxlint, '-c', 'oxlint.config.mjs', '--format', 'json'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    findings = (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics;
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(SOURCES))('say what is wrong in %s and nothing else', (file, lines) => {
    const expected = lines.flatMap(([line, rule]) => (rule ? [`${rule}: ${line}`] : []));
    const found = findings
      .filter(({ filename }) => filename === file)
      .map(({ code, labels }) => ({ code, line: labels[0]?.span.line ?? 0 }))
      .sort((one, other) => one.line - other.line)
      .map(({ code, line }) => `${code}: ${lines[line - 1]?.[0]}`);
    expect(found).toEqual(expected);
  });
});
