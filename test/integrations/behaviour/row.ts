import { expect } from '@jest/globals';

import { API_SECRET } from '../../support/app.js';
import { DIFFERENCES } from './differences.js';
import type { DifferenceName } from './differences.js';
import type { AppKind, Scene } from './world.js';

/** What a request is answered with, and what is left behind. */
export interface Expected {
  readonly status: number;
  /** The reason in the JSON of a refusal. */
  readonly error?: string;
  /** Where a redirect leads; its parameters are not compared unless they are named. */
  readonly location?: (scene: Scene) => string | null;
  /** Headers that matter; `null` for one that must not be there. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  readonly body?: 'json' | 'html' | 'empty' | RegExp;
  /** What is stored of the shop afterwards. */
  readonly stored?: readonly string[];
  /** What the platform was asked, in this order. */
  readonly asked?: readonly string[];
  /** How many deliveries the app has handled. @default 0 */
  readonly handled?: number;
}

/** One row of the table: a request, and the answer of every host. */
export interface Row {
  readonly name: string;
  /** @default 'embedded' */
  readonly app?: AppKind;
  /** What was there before. */
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  readonly send: (scene: Scene) => Promise<Response>;
  readonly expects: Expected;
  /** In what hosts differ, with what they answer. */
  readonly differs?: Partial<Record<DifferenceName, Partial<Expected>>>;
}

/** What a row expects of a host. */
function expectedOf({ expects, differs = {} }: Row, host: string): Expected {
  const own = Object.entries(differs).filter(([name]) =>
    (DIFFERENCES[name as DifferenceName].hosts as readonly string[]).includes(host),
  );
  return Object.assign({}, expects, ...own.map(([, expected]) => expected)) as Expected;
}

/** Whether a host can run a row. */
export function runsOn({ app }: Row, host: string): boolean {
  const { hosts } = DIFFERENCES.alwaysEmbedded;
  return app !== 'standalone' || !(hosts as readonly string[]).includes(host);
}

/** Sends the request of a row, and compares all that it expects, in one go. */
export async function expectAnswer(row: Row, scene: Scene): Promise<void> {
  const expected = expectedOf(row, scene.at.name);
  await row.prepare?.(scene);
  const before = scene.asked.length;
  const response = await row.send(scene);
  const text = await response.text();
  expect(text).not.toContain(API_SECRET);
  const { status, headers } = response;
  const found = {
    status,
    ...(expected.error !== undefined && { error: errorIn(text) }),
    ...(expected.body !== undefined && { body: bodyOf(expected.body, headers, text) }),
    location: locationOf(headers),
    headers: Object.fromEntries(
      Object.keys(expected.headers ?? {}).map((name) => [name, headers.get(name)]),
    ),
    ...(expected.stored && { stored: await scene.stored() }),
    ...(expected.asked && { asked: scene.asked.slice(before) }),
    handled: scene.handled,
  };
  expect(found).toEqual({
    status: expected.status,
    ...(expected.error !== undefined && { error: expected.error }),
    ...(expected.body !== undefined && { body: String(expected.body) }),
    location: expected.location?.(scene) ?? null,
    headers: Object.fromEntries(
      Object.entries(expected.headers ?? {}).map(([name, value]) => [
        name,
        value instanceof RegExp ? expect.stringMatching(value) : value,
      ]),
    ),
    ...(expected.stored && { stored: expected.stored }),
    ...(expected.asked && { asked: expected.asked }),
    handled: expected.handled ?? 0,
  });
}

/** Without its query: that of an address to which a browser is sent differs each time. */
function locationOf(headers: Headers): string | null {
  return headers.get('location')?.split('?', 1)[0] ?? null;
}

function errorIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { error?: unknown }).error;
  } catch {
    return `no JSON: ${text.slice(0, 80)}`;
  }
}

function bodyOf(wanted: NonNullable<Expected['body']>, headers: Headers, text: string): string {
  if (wanted instanceof RegExp) return wanted.test(text) ? String(wanted) : text;
  if (text === '') return 'empty';
  const type = headers.get('content-type') ?? '';
  return type.includes('json') ? 'json' : type.includes('html') ? 'html' : type;
}
