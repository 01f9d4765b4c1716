/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // These need a registry, a browser or servers, and have scripts of their own.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(package|browser|contract|services)/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.tsx?$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }] },
  // A machine that is busy boots a container slowly; nothing here is a statement about time.
  testTimeout: 30_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '768MB',
};
