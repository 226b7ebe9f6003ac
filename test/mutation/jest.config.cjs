const base = require('../../jest.config.cjs');

/** The suites beside the mutated files, which need no servers. */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/libs'],
  testMatch: JSON.parse(process.env.MUTATION_SUITES).map((path) => `<rootDir>/${path}`),
  globalSetup: undefined,
  globalTeardown: undefined,
  testSequencer: undefined,
};
