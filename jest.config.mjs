/** @type {import('jest').Config} */
export default {
  // Node, and a watch over each test file: a file fails when a secret that it uses leaves the
  // toolkit.
  testEnvironment: '<rootDir>/test/support/redaction/environment.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/redaction/setup.ts'],
  // Written from tables, and in no repository.
  globalSetup: '<rootDir>/scripts/resources.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // These need a registry, a browser or servers, and have scripts of their own.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(package|browser|contract|services)/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.tsx?$': [
      'ts-jest',
      { useESM: true, tsconfig: '<rootDir>/tsconfig.json', diagnostics: false },
    ],
  },
  // A machine that is busy boots a container slowly; nothing here is a statement about time.
  testTimeout: 30_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '768MB',
};
