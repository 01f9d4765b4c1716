import express from 'express';

import type { PlatformOptions } from '../../lib/index.js';
import { heldInBuffers } from '../support/heap.js';
import { HOSTS, openExpress } from '../support/hosts.js';
import type { Host } from '../support/hosts.js';

/** What is sent to the process of {@link HOSTS} by the spec beside this file. */
export type Question = 'measure' | 'report';
export interface Opened {
  readonly url: string;
}
/** Bytes, beyond what there was at `measure`. */
export interface Measured {
  /** The most by which the resident memory grew, with what is yet to be collected. */
  readonly growth: number;
  /** Of the memory of buffers: what is held, without what could be collected. */
  readonly held: number;
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
const before = { resident: 0, held: 0 };
let most = 0;
const answers: Record<Question, () => Promise<Measured>> = {
  async measure() {
    before.held = await heldInBuffers();
    before.resident = most = process.memoryUsage.rss();
    setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), HOW_OFTEN).unref();
    return { growth: 0, held: 0 };
  },
  async report() {
    const growth = most - before.resident;
    return { growth, held: (await heldInBuffers()) - before.held };
  },
};
process.on('message', async (question: Question) => process.send!(await answers[question]()));
process.on('disconnect', () => process.exit());
process.send!({ url: host.url } satisfies Opened);
