import { fileURLToPath } from 'node:url';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/jest-runner'))],
  jest: {
    projectType: 'custom',
    configFile: 'test/mutation/jest.config.cjs',
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // What runs while a file is loaded would need a process for each change.
  ignoreStatic: true,
  // A busy machine is no endless loop.
  timeoutMS: 60_000,
  concurrency: Number(process.env.MUTATION_WORKERS),
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: '.portage/mutation/report.json' },
  htmlReporter: { fileName: '.portage/mutation/report.html' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: '.portage/mutation/sandbox',
  ignorePatterns: ['dist', '.portage', '**/node_modules', 'bench/results.md'],
};
