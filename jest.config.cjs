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

const swc = [
  '@swc/jest',
  {
    swcrc: false,
    // In files of their own, which jest reads for a stack only.
    sourceMaps: true,
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  },
];

const base = {
  rootDir: __dirname,
  roots: ['apps', 'libs', 'packages', 'test', 'bench'].map((name) => join(__dirname, name)),
  testEnvironment: 'node',
  transform: { '^.+\\.(ts|js|mjs|cjs)$': swc },
  transformIgnorePatterns: [`/node_modules/(?!(${packagesToCompile().join('|')})/)`],
  moduleNameMapper: {
    '^@portage/client$': '<rootDir>/packages/client/src/index.ts',
    '^@portage/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@portage/testing/([^/]+)$': '<rootDir>/libs/testing/src/$1.ts',
    // Its manifest names the file for import() only, which jest compiles to require().
    '^fauxqs$': '<rootDir>/node_modules/fauxqs/dist/app.js',
  },
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/apps/console/node_modules',
    '<rootDir>/packages/client/dist',
    '<rootDir>/.portage',
  ],
};

/** Suites that replace modules or timers of the process, or change its environment. The others run in groups. */
const alone = require('./test/groups/alone.json');

/** Suites that continuous integration runs with `npm run test:operations`, and `npm test` leaves out. */
const operations = require('./test/operations.json');

// A suite that was renamed must not fall back into `npm test`, or out of all commands.
for (const path of [...alone, ...operations])
  if (!existsSync(join(__dirname, path)))
    throw new Error(`${path} does not exist. Correct test/operations.json or test/groups/alone.json.`);

/** Those of them that share services. */
const operationsOfTenants = operations.filter((path) => path.startsWith('test/e2e/tenants/'));
const otherOperations = operations.filter((path) => !operationsOfTenants.includes(path));

const inRoot = (paths) => paths.map((path) => `<rootDir>/${path}`);
const escaped = (path) => path.replaceAll('.', '\\.');

module.exports = {
  testSequencer: '<rootDir>/test/sequencer.cjs',
  // A worker process that has ended frees a gigabyte of heap, which takes a busy machine up to half a second. A worker that
  // leaks a timer or a socket still does not exit.
  workerGracefulExitTimeout: 10_000,
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,packages,test,bench}/**/*.spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
    },
    {
      ...base,
      displayName: 'integration',
      testMatch: ['<rootDir>/{apps,libs,test}/**/*.int-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-servers.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    // npm test runs these two: the same suites in a few groups, of which each loads Nest and TypeORM once.
    {
      ...base,
      displayName: 'unit-groups',
      testMatch: [
        '<rootDir>/test/groups/unit-*.group.ts',
        ...inRoot(alone.filter((path) => !/int-spec/.test(path) && !operations.includes(path))),
      ],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
    },
    {
      ...base,
      displayName: 'integration-groups',
      testMatch: [
        '<rootDir>/test/groups/integration-*.group.ts',
        ...inRoot(alone.filter((path) => /int-spec/.test(path))),
      ],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-servers.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['<rootDir>/{apps,test}/**/*.e2e-spec.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/start\\.e2e-spec\\.ts$',
        '<rootDir>/test/e2e/[^/]+/',
        '<rootDir>/test/console/',
      ],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-operators.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    // The suites of `e2e` that npm test runs, and those of continuous integration.
    {
      ...base,
      displayName: 'e2e-short',
      testMatch: ['<rootDir>/{apps,test}/**/*.e2e-spec.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/start\\.e2e-spec\\.ts$',
        '<rootDir>/test/e2e/[^/]+/',
        '<rootDir>/test/console/',
        ...inRoot(operations).map(escaped),
      ],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-operators.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    {
      ...base,
      displayName: 'operations',
      testMatch: inRoot(otherOperations),
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-operators.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    // Suites that share services, as tenants of their own.
    {
      ...base,
      displayName: 'tenants',
      testMatch: ['<rootDir>/test/e2e/*/*.e2e-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-services.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    // The suites of `tenants` that npm test runs, and those of continuous integration.
    {
      ...base,
      displayName: 'tenants-short',
      testMatch: ['<rootDir>/test/e2e/*/*.e2e-spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...inRoot(operationsOfTenants).map(escaped)],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-services.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    {
      ...base,
      displayName: 'tenants-operations',
      testMatch: inRoot(operationsOfTenants),
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-services.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    // With a database of its own.
    {
      ...base,
      displayName: 'start',
      testMatch: ['<rootDir>/test/e2e/start.e2e-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-redis.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
    // Installations with servers of their own: npm run test:scenarios, and their short forms in npm test.
    {
      ...base,
      displayName: 'scenarios',
      testMatch: ['<rootDir>/test/scenarios/all.scenario-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
    },
    // The console in a browser: npm run test:console.
    {
      ...base,
      displayName: 'console',
      testMatch: ['<rootDir>/test/console/*.e2e-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/libs/testing/src/timeout.ts'],
      globalSetup: '<rootDir>/libs/testing/src/setup-console.ts',
      globalTeardown: '<rootDir>/libs/testing/src/teardown.ts',
    },
  ],
};
