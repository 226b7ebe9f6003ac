/**
 * Which way imports may point: a subject imports those before it, the applications import all. Each application is by
 * itself; the console knows the types of its API and the settings of suppliers, the importer the library of text and the
 * public API of the account schema, which is a package without the plumbing of the service. Unit specs and their helpers
 * may import the test support as well; suites that start an installation use all of it.
 */
const SPECS = '(\\.spec\\.ts$|^(apps|libs|packages)/[^/]+/test/)';
/** The descriptions of the settings of suppliers. */
const SUPPLIER_SETTINGS = 'libs/tenants/src/suppliers/(import-supplier|supplier-settings)\\.ts$';
const SUBJECTS = [
  'text',
  'platform',
  'account-schema',
  'tenants',
  'accounts',
  'imports',
  'submissions',
  'events',
  'operators',
];

const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(apps|libs|packages)/', pathNot: allowed },
});

/** A subject imports itself and those before it. Specs and their helpers import the test support as well. */
const order = SUBJECTS.map((subject, index) => ({
  name: `${subject}-imports-earlier-subjects-only`,
  severity: 'error',
  from: { path: `^libs/${subject}/` },
  to: {
    path: '^(apps|libs|packages)/',
    pathNot: `^libs/(${[...SUBJECTS.slice(0, index + 1), 'testing'].join('|')})/`,
  },
}));

/** Rules for programs, which specs need not keep. */
const ofPrograms = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'no-folder-cycles-inside-a-library',
    severity: 'error',
    scope: 'folder',
    // The settings are read in parts; a library's root has its module and its index.
    from: { path: '^libs/(?!account-schema/|platform/src/config)([^/]+)/src/.' },
    to: { circular: true, path: '^libs/$1/src/.', pathNot: '/test$' },
  },
  {
    name: 'no-app-imports-another-app',
    severity: 'error',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/([^/]+)/', pathNot: ['^apps/$1/', '^apps/api/src/operator/shapes\\.ts$'] },
  },
  only('account-schema-stands-alone', '^libs/account-schema/', '^libs/(account-schema|text)/'),
  {
    name: 'no-program-imports-test-support',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: '^libs/testing/' },
    to: { path: '^libs/testing/' },
  },
  {
    name: 'only-npm-start-and-tests-run-local-servers',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: '^(apps/start|libs/(testing|local-environment))/' },
    to: { path: '^libs/local-environment/' },
  },
  only('local-environment-stands-alone', '^libs/local-environment/', '^libs/local-environment/'),
  // The console imports the types of its API, which TypeScript and Vite leave out, and the settings of suppliers, which
  // are plain data.
  only(
    'console-stands-alone',
    '^apps/console/',
    `^(apps/console/|apps/api/src/operator/shapes\\.ts$|${SUPPLIER_SETTINGS})`,
  ),
  {
    name: 'console-imports-only-types-of-its-api',
    severity: 'error',
    from: { path: '^apps/console/' },
    to: { path: '^apps/api/', dependencyTypesNot: ['type-only'] },
  },
  only(
    'importer-on-the-client',
    '^apps/importer/',
    '^(apps/importer|packages/client|libs/text)/|^libs/account-schema/src/index\\.ts$',
  ),
  only('client-stands-alone', '^packages/client/', '^packages/client/'),
  {
    // The importer, and npm start where it acts as a supplier.
    name: 'only-suppliers-use-the-client',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: '^(apps/(importer|start)|libs/testing)/' },
    to: { path: '^packages/' },
  },
  {
    name: 'a-library-is-entered-by-its-index',
    severity: 'error',
    from: { path: '^(apps|libs)/([^/]+)/' },
    to: {
      path: '^libs/([^/]+)/src/',
      pathNot: [
        '^libs/$2/',
        '^libs/[^/]+/src/index\\.ts$',
        '^libs/account-schema/src/service\\.ts$',
        '^libs/testing/src/[^/]+\\.ts$',
        `^${SUPPLIER_SETTINGS}`,
      ],
    },
  },
  {
    name: 'the-client-is-entered-by-its-index',
    severity: 'error',
    from: { path: '^apps/' },
    to: { path: '^packages/client/src/', pathNot: '^packages/client/src/index\\.ts$' },
  },
  {
    name: 'package-of-account-schema-without-the-service',
    severity: 'error',
    from: { path: '^libs/account-schema/src/index\\.ts$' },
    to: { path: ['^libs/account-schema/src/service\\.ts$', '^(node:)?fs$'], reachable: true },
  },
  {
    name: 'account-schema-without-frameworks',
    severity: 'error',
    from: { path: '^libs/account-schema/' },
    to: { path: 'node_modules/(@nestjs|typeorm|bullmq|pg|ioredis|fastify)/' },
  },
  {
    name: 'libs-know-no-http',
    severity: 'error',
    from: { path: '^libs/', pathNot: '^libs/testing/' },
    to: { path: 'node_modules/(fastify|@fastify|@nestjs/platform-fastify|@bull-board)/' },
  },
  {
    name: 'processors-only-in-the-worker',
    severity: 'error',
    from: {
      path: '^(libs|apps/(api|cli|importer))/',
      pathNot: '^libs/(platform/src/queues|testing)/',
    },
    to: { path: 'node_modules/(@nestjs/)?bullmq/' },
  },
].map((rule) => ({ ...rule, from: { ...rule.from, pathNot: [rule.from.pathNot ?? [], SPECS].flat() } }));

module.exports = {
  forbidden: [
    ...order,
    {
      name: 'libs-never-import-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    ...ofPrograms,
  ],
  options: {
    // The test support starts everything, so it may import everything.
    doNotFollow: { path: ['node_modules', '^libs/testing/'] },
    exclude: { path: '\\.(int-spec|e2e-spec)\\.ts$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
