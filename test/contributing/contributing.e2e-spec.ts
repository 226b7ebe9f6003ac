import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Installation, newDirectory, type OperatorClient, REPOSITORY, signIn, until } from '@portage/testing';
import { json, silent, TestServer } from '@portage/testing/test-server';
import { type Document, trackedFiles } from '../deploy/deployment';
import { applyBlock, readBlocks } from './apply-page';

const run = promisify(execFile);

/** Other tests may run beside the build. */
const BUILD_TIMEOUT_MS = 300_000;

/** What the build reads, and the tests. The packages are those of this checkout. */
const COPIED =
  /^(apps|bench|deploy|libs|packages|scripts|test)\/|^docs\/[^/]+$|^(package|package-lock|tsconfig|nest-cli|\.oxlintrc)\.json$|^\.swcrc$|^jest\.config\.cjs$/;
const LINKED = ['node_modules', 'apps/console/node_modules', 'packages/client/node_modules'];

async function copyRepository(folder: string): Promise<void> {
  for (const file of trackedFiles().filter((path) => COPIED.test(path))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(REPOSITORY, file), join(folder, file));
  }
  for (const path of LINKED.filter((name) => existsSync(join(REPOSITORY, name))))
    await symlink(join(REPOSITORY, path), join(folder, path));
}

const PAGE = readFileSync(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8');

/** The headings of the page that have files, each with their number. */
const RECIPES = [
  ['... a column of the status answer?', 4],
  ["... an operator's endpoint with a page?", 8],
  ['... a queue?', 6],
  ['... a setting?', 2],
  ['... a column of a table?', 2],
  ['... a setting of a supplier?', 3],
  ['... a field?', 1],
  ['... a value of an enumeration?', 1],
  ['... a format?', 3],
  ['... a rule?', 2],
  ['... a warning?', 2],
  ['... a payment vendor?', 6],
] as const;

describe('CONTRIBUTING.md', () => {
  let folder: string;
  let portage: Installation;
  let vendor: TestServer;
  let operator: OperatorClient;

  beforeAll(async () => {
    folder = newDirectory();
    await copyRepository(folder);
    for (const [heading] of RECIPES)
      for (const block of readBlocks(PAGE, heading)) await applyBlock(folder, block);
    await run('npm', ['run', 'build'], { cwd: folder });
    for (const program of [
      'libs/account-schema/src/docs/write-docs',
      'apps/importer/src/mapping/write-mapping-docs',
    ])
      await run(process.execPath, [join('dist', `${program}.js`)], { cwd: folder });

    vendor = await TestServer.start(silent);
    portage = await Installation.start({
      backend: 'postgres',
      checkout: folder,
      // The databases of a run have the schema of this checkout.
      postgres: {},
      env: { EXAMPLEPAY_API_BASE: vendor.url, EXAMPLEPAY_API_KEY: 'key-of-examplepay' },
    });
    operator = await signIn(portage, 'viewer');
  }, BUILD_TIMEOUT_MS);
  afterAll(async () => {
    // Undefined if the page could not be applied.
    await (portage as typeof portage | undefined)?.stop();
    await (vendor as typeof vendor | undefined)?.stop();
  });

  const get = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(`${portage.baseUrl}${path}`, { headers });
    return { status: answer.status, body: (await answer.json()) as Document };
  };
  const document = async (name: string) => JSON.parse(await readFile(join(folder, 'dist', name), 'utf8'));

  const consoleScripts = async () => {
    const assets = join(folder, 'dist', 'console', 'assets');
    const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(scripts.map(async (name) => readFile(join(assets, name), 'utf8')));
    return texts.join('');
  };

  it.each(RECIPES)('names the files to change for "%s": %d', (heading, count) => {
    expect(new Set(readBlocks(PAGE, heading).map(({ path }) => path)).size).toBe(count);
  });

  it('adds a format, a rule, a warning, the processor of a queue and the adapter of a vendor, whose tests pass', async () => {
    const jest = join(folder, 'node_modules', 'jest', 'bin', 'jest.js');
    const suites = [
      'account-schema/src/formats/formats.spec',
      'account-schema/src/docs/pages.spec',
      'test/rules/rules.spec',
      'test/warnings/warnings.spec',
      'reports.processor.spec',
      'vendor-adapters.spec',
    ];
    const { stderr } = await run(process.execPath, [jest, ...suites], { cwd: folder });
    expect(stderr).toMatch(/Test Suites: 6 passed/);
    expect(stderr).toMatch(/Tests: +\d+ passed, \d+ total/);
  });

  it.each([
    ['a field', 'fields.md', '| `preferred_call_time` | time | no |'],
    ['a value of an enumeration', 'fields.md', '`cy-gb`'],
    ['a format', 'fields.md', 'a subdomain of letters'],
    ['a field', 'mapping.schema.json', '"preferred_call_time"'],
    ['a rule', 'validation-rules.md', '- `note_document_path_repeated`'],
    ['a warning', 'warnings.md', '- `date_of_sale_before_1990`'],
  ])('adds %s to docs/%s', async (_what, page, text) => {
    expect(await readFile(join(folder, 'docs', page), 'utf8')).toContain(text);
  });

  it('adds a field, a value of an enumeration and a format to what accounts are validated by', async () => {
    const validate = async (more: object) =>
      portage.post('/v2/data-import/accounts/validate/', portage.account('N-3', more));
    const { status, headers } = await validate({
      customers: [{ family_name: 'Aldous', preferred_call_time: '18:30' }],
      language_preference: 'cy-gb',
      affiliate_subdomain: 'quayside-brokers',
    });
    expect([status, headers['ignored-fields']]).toEqual([200, undefined]);
    const { body } = await validate({
      customers: [{ family_name: 'Aldous', preferred_call_time: '24:30' }],
      language_preference: 'cy',
      affiliate_subdomain: 'quayside.brokers',
    });
    expect(body.errors.map(({ attr, code }: Document) => `${attr} ${code}`)).toEqual([
      'customers.0.preferred_call_time invalid',
      'language_preference invalid_choice',
      'affiliate_subdomain invalid_subdomain',
    ]);
  });

  it('adds a vendor, at which a payment instruction is verified', async () => {
    vendor.respond = json(200, { id: 'card_1', status: 'active' });
    await portage.importAccount('N-2');
    const { status, body } = await portage.post('/v1/data-import/payment-instruction/create/', {
      import_supplier: portage.supplier,
      external_account_number: 'N-2',
      type: 'CARD',
      vendor: 'EXAMPLEPAY',
      reference: 'card_1',
    });
    expect([status, body.reference]).toEqual([201, 'card_1']);
    expect(vendor.requests).toMatchObject([
      { path: '/cards/card_1', headers: { authorization: 'Bearer key-of-examplepay' } },
    ]);
  });

  it('adds a queue to those that operators see', async () => {
    const { status, body } = await get('/operator/v1/queues', { cookie: operator.headers.cookie });
    expect([status, body.items]).toEqual([
      200,
      expect.arrayContaining([expect.objectContaining({ name: 'reports' })]),
    ]);
  });

  it('adds a setting to those that `.env.example` has', async () => {
    const { stdout } = await run(
      process.execPath,
      ['-p', "require('./dist/libs/platform/src/config/env-example').envExample()"],
      { cwd: folder },
    );
    expect(stdout).toContain('#REPORT_CONCURRENCY=1\n');
  });

  it('adds a column to a table, with the first schema', async () => {
    expect(await portage.sql('SELECT DISTINCT contact FROM organisation')).toEqual([{ contact: null }]);
  });

  it('adds a setting of suppliers to the command line, to the APIs and to the form of the console', async () => {
    const { supplier } = portage;
    expect(await portage.operator('supplier', 'set', supplier, '--rehearsal')).toMatchObject({
      rehearsal: true,
    });
    const path = `/v2/data-import/suppliers/${supplier}/`;
    const { body } = await get(path, { Authorization: `Token ${portage.token}` });
    expect(body).toMatchObject({ rehearsal: true, reimport_after_erasure: false });
    expect(await consoleScripts()).toContain('The accounts of the supplier are a rehearsal');
  });

  it('writes a migration with the time of now, and lists it', async () => {
    const before = Date.now();
    const script = join(folder, 'scripts', 'create-migration.mjs');
    const { stdout } = await run(process.execPath, [script, 'organisation-contact'], { cwd: folder });
    const [, time] = /(\d{13})-organisation-contact\.ts\n$/.exec(stdout) ?? [];
    expect(Number(time)).toBeGreaterThanOrEqual(before);
    const list = await readFile(join(dirname(stdout.trim()), 'index.ts'), 'utf8');
    expect(list).toContain(`FirstSchema1795392000000, OrganisationContact${time}]`);
  });

  it('adds a column to the answer and to the OpenAPI document', async () => {
    await portage.importAccount('N-1');
    const { status, body } = await get(`/v2/data-import/accounts/${portage.supplier}/N-1/`, {
      Authorization: `Token ${portage.token}`,
    });
    expect([status, body.status, body.version]).toEqual([200, 'PROCESSED', 1]);
    const { components } = await document('openapi.json');
    expect(components.schemas.ImportProcess.properties.version).toMatchObject({ type: 'integer' });
    expect(components.schemas.ImportProcess.required).toContain('version');
  });

  it('adds an endpoint to the API of the console', async () => {
    const path = '/operator/v1/releases';
    await until(
      async () => (await get(path, { cookie: operator.headers.cookie })).body.items?.length === 1,
      'No worker has reported its release.',
    );
    const { body } = await get(path, { cookie: operator.headers.cookie });
    expect(body).toEqual({ items: [{ release: expect.stringMatching(/^\d+\.\d+/), workers: 1 }] });
    expect((await get(path, {})).status).toBe(401);
  });

  it('adds a page to the console', async () => {
    expect(await consoleScripts()).toContain('Several releases run during an upgrade.');
  });

  it('has blocks whose types and style pass the linter, with all of the console', async () => {
    const paths = RECIPES.flatMap(([heading]) => readBlocks(PAGE, heading).map(({ path }) => path));
    const sources = new Set(paths.filter((path) => /\.tsx?$/.test(path)));
    const oxlint = join(folder, 'node_modules', 'oxlint', 'bin', 'oxlint');
    await run(process.execPath, [oxlint, 'apps/console/src', ...sources], { cwd: folder });
  });
});
