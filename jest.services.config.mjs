import jestConfig from './jest.config.mjs';

/**
 * The tests that talk to real servers, in which each has databases and keys of its own. They fail
 * when a server is missing. @type {import('jest').Config}
 */
export default {
  ...jestConfig,
  roots: ['<rootDir>/test/services'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/services/services.setup.mjs',
};
