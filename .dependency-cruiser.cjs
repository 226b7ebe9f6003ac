/**
 * Which way imports may point: apps -> importing -> domain, database, queues, vendors, documents, mail, webhooks -> config.
 * `domain` and `account-schema` stand alone; processors exist only in apps/worker. The importer knows only the client.
 */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(apps|libs|packages)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-folder-cycles-inside-a-library',
      severity: 'error',
      scope: 'folder',
      from: { path: '^libs/(importing|database)/' },
      to: { circular: true },
    },
    {
      name: 'no-app-imports-another-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/([^/]+)/', pathNot: '^apps/$1/' },
    },
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    only('domain-stands-alone', '^libs/domain/', '^libs/domain/'),
    only('account-schema-stands-alone', '^libs/account-schema/', '^libs/account-schema/'),
    only('batching-stands-alone', '^libs/batching/', '^libs/batching/'),
    only('connections-stand-alone', '^libs/connections/', '^libs/connections/'),
    only('config-stands-alone', '^libs/config/', '^libs/config/'),
    only('observability-on-config', '^libs/observability/', '^libs/(observability|config)/'),
    only(
      'database-on-domain',
      '^libs/database/',
      '^libs/(database|domain|batching|connections|config|observability)/',
    ),
    only('queues-on-config', '^libs/queues/', '^libs/(queues|batching|connections|config|observability)/'),
    only(
      'adapters-on-domain',
      '^libs/(vendors|documents|mail|webhooks)/',
      '^libs/(vendors|documents|mail|webhooks|domain|config|observability)/',
    ),
    only('local-environment-stands-alone', '^libs/local-environment/', '^libs/local-environment/'),
    only('importing-never-on-the-local-environment', '^libs/importing/', '^libs/(?!local-environment)'),
    {
      // Specs, which are not looked at here, test/ and the test folders of applications import it.
      name: 'no-program-imports-test-support',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^(libs/testing|apps/[^/]+/test)/' },
      to: { path: '^libs/testing/' },
    },
    only('console-stands-alone', '^apps/console/', '^apps/console/'),
    only('importer-on-the-client', '^apps/importer/', '^(apps/importer|packages/client)/'),
    only('client-stands-alone', '^packages/client/', '^packages/client/'),
    {
      name: 'only-the-importer-uses-the-client',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^apps/importer/' },
      to: { path: '^packages/' },
    },
    {
      name: 'a-library-is-entered-by-its-index',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/' },
      to: { path: '^libs/([^/]+)/src/', pathNot: ['^libs/$2/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'the-client-is-entered-by-its-index',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^packages/client/src/', pathNot: '^packages/client/src/index\\.ts$' },
    },
    {
      name: 'domain-and-schema-without-frameworks',
      severity: 'error',
      from: { path: '^libs/(domain|account-schema)/' },
      to: { path: 'node_modules/(@nestjs|typeorm|bullmq|pg|ioredis|fastify)/' },
    },
    {
      name: 'processors-only-in-the-worker',
      severity: 'error',
      from: { path: '^(libs|apps/(api|cli|importer))/', pathNot: '^libs/queues/' },
      to: { path: 'node_modules/(@nestjs/)?bullmq/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(spec|int-spec|e2e-spec)\\.ts$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
