const { readdirSync, readFileSync, existsSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Jest on Node 20 cannot load ES modules with require(), so every package that ships as ES module only is compiled too.
 */
function packagesToCompile() {
  const root = join(__dirname, 'node_modules');
  const found = [];
  const look = (dir, name) => {
    const manifest = join(dir, 'package.json');
    if (!existsSync(manifest)) return;
    if (JSON.parse(readFileSync(manifest, 'utf8')).type === 'module') found.push(name);
  };
  for (const entry of readdirSync(root)) {
    if (entry.startsWith('.')) continue;
    if (entry.startsWith('@')) {
      for (const scoped of readdirSync(join(root, entry)))
        look(join(root, entry, scoped), `${entry}/${scoped}`);
    } else {
      look(join(root, entry), entry);
    }
  }
  return found;
}

/** All suites: `npx jest <path>` runs one, with the servers that suites at its path need (libs/testing/src/setup.ts). */
module.exports = {
  roots: ['apps', 'libs', 'packages', 'test', 'bench'].map((name) => `<rootDir>/${name}`),
  testEnvironment: 'node',
  testMatch: ['**/*.{spec,int-spec,e2e-spec,scenario-spec}.ts', '<rootDir>/test/groups/*.js'],
  // Compiles as .swcrc says.
  transform: { '^.+\\.(ts|js|mjs|cjs)$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${packagesToCompile().join('|')})/)`],
  moduleNameMapper: {
    // swc has replaced these names in what runs; jest --watch finds the suites of a changed file by them.
    '^@portage/client$': '<rootDir>/packages/client/src/index.ts',
    '^@portage/account-schema/service$': '<rootDir>/libs/account-schema/src/service.ts',
    '^@portage/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@portage/testing/([^/]+)$': '<rootDir>/libs/testing/src/$1.ts',
    // Its manifest names the file for import() only, which jest compiles to require().
    '^fauxqs$': '<rootDir>/node_modules/fauxqs/dist/app.js',
  },
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/apps/console/node_modules',
    '<rootDir>/packages/[^/]+/dist',
    '<rootDir>/.portage',
  ],
  globalSetup: '<rootDir>/libs/testing/src/setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
  testSequencer: '<rootDir>/test/sequencer.cjs',
  // Tests with real servers and processes are slow on a small, busy machine. The timeout still ends one that hangs.
  testTimeout: 300_000,
  // A worker process that has ended frees a gigabyte of heap, which takes a busy machine up to half a second. A worker that
  // leaks a timer or a socket still does not exit.
  workerGracefulExitTimeout: 10_000,
};
