import express from 'express';

import type { PlatformOptions } from '../../lib/index.js';
import { HOSTS, openExpress } from '../support/hosts.js';
import type { Host } from '../support/hosts.js';

/** What is sent to the process of {@link HOSTS} by the spec beside this file. */
export type Question = 'measure' | 'report';
export interface Opened {
  readonly url: string;
}
/** Bytes: how far the resident memory of the process grew since `measure`. */
export interface Measured {
  readonly growth: number;
}

const HOW_OFTEN = 20;
const PARSED: Host = {
  name: 'Express behind json()',
  exitIframePath: '/exitiframe',
  isWeb: false,
  open: (setup) =>
    openExpress(setup, {
      before: (app) =>
        app
          .use(express.json({ limit: '100kb' }))
          .post('/sink', (req, res) => void req.resume().on('end', () => res.end())),
    }),
};

// The server of a spec that measures memory: in a process of its own, run by
// `node <file> <host> <options as JSON>`.
const [name, options = '{}'] = process.argv.slice(2);
const host = await [PARSED, ...HOSTS]
  .find((one) => one.name === name)!
  .open({ options: JSON.parse(options) as Partial<PlatformOptions> });
let before = 0;
let most = 0;
process.on('message', (question: Question) => {
  if (question === 'report') return process.send!({ growth: most - before } satisfies Measured);
  before = process.memoryUsage.rss();
  setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), HOW_OFTEN).unref();
});
process.on('disconnect', () => process.exit());
process.send!({ url: host.url } satisfies Opened);
