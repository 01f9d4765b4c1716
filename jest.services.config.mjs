import jestConfig from './jest.config.mjs';

/**
 * The tests that talk to real servers, one after another, because some stop a server. They fail
 * when a server is missing. @type {import('jest').Config}
 */
export default {
  ...jestConfig,
  roots: ['<rootDir>/test/services'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/services/services.setup.mjs',
  maxWorkers: 1,
};
