import { describe, expect, it } from '@jest/globals';

import { InvalidOptionsError } from '../../lib/core/core.errors.js';
import { PlatformConfig } from '../../lib/core/config/platform-config.js';
import { resolverOf } from '../support/resolver.js';

function problemsOf(options: object): string[] {
  try {
    resolverOf(options).get(PlatformConfig);
    return [];
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems.map(({ option }) => option);
    throw error;
  }
}

describe('the config of an app', () => {
  it.each([
    ['webhooks.bodyLimit', { webhooks: { bodyLimit: 0 } }],
    ['webhooks.bodyMemoryLimit', { webhooks: { bodyLimit: 2000, bodyMemoryLimit: 1000 } }],
    ['webhooks.handlerTimeout', { webhooks: { handlerTimeout: -1 } }],
  ])('names %s as its caller wrote it, where no host has names of its own', (name, options) => {
    expect(problemsOf(options)).toEqual([name]);
  });
});
