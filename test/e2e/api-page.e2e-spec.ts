import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram, Installation, newDirectory, REPOSITORY } from '@portage/testing';
import { SandboxVendors } from '@portage/local-environment';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';

/** The commands of a page of docs, in their order. */
function commands(page: string): string[] {
  const text = readFileSync(join(__dirname, '..', '..', 'docs', page), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1]!);
}

describe('docs/api.md', () => {
  let vendors: SandboxVendors;
  let receiver: WebhookReceiver;
  const portage = Installation.use(async () => {
    vendors = await SandboxVendors.start();
    receiver = await WebhookReceiver.start();
    const webhooks = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
    return { backend: 'postgres', env: { ...vendors.settings, ...webhooks } };
  });

  beforeAll(async () => portage.operator('supplier', 'create', 'DEMO', '--organisation', 'Supplier Ltd'));
  afterAll(async () => {
    await vendors.stop();
    await receiver.stop();
  });

  it('has commands that work as pasted', async () => {
    const script = commands('api.md').join('\necho; echo ---\n');
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', script], {
      env: {
        ...portage.env,
        BASE_URL: portage.baseUrl,
        API_KEY: portage.apiKey,
        WEBHOOK_URL: receiver.url,
      },
    });
    const answers = stdout.split('\n---\n').map((answer) => answer.trim());
    expect(answers).toEqual([
      '',
      '',
      expect.stringContaining('"code":"invalid_phone_number","attr":"customers.0.landline"'),
      '{}',
      expect.stringMatching(/^(\S{43}=)\npayload-digest: sha-256=:\1:$/i),
      expect.stringContaining('"latest_event":{"event":"EVENT_ACCOUNT_IMPORT_PROCESS_'),
      expect.stringContaining('"platform_account_number":'),
      expect.stringMatching(/^\{\}\s*\{"status":"CANCELLED"/),
      expect.stringContaining('"version":2,"changes":[{"path":"customers.0.family_name"'),
      expect.stringMatching(/^\{"status":"CANCELLED","platform_identifier":null/),
      expect.stringContaining('"landline":"+441212345678"'),
      '{"external_account_number":"EXAMPLE-3","import_supplier_code":"DEMO"}',
      expect.stringMatching(/"platform_account_number":"(A-[0-9a-f]{8})","account_number":"\1"/),
      '',
      expect.stringContaining('NOTE_CREATION_SUCCESS'),
      expect.stringMatching(/(TRANSACTION_ADDED_TO_ACCOUNT.*){2}/),
      expect.stringContaining('"statements":[{'),
      expect.stringContaining('"reference":"pm_sandboxVisa"'),
      expect.stringMatching(
        /^\{"platform_account_number":"A-.*"account":\{.*"external_account_number":"EXAMPLE-1"/,
      ),
      expect.stringMatching(
        /^\{"balances":\[\{"ledger_code":null,"balance":"0.00".*"items":\[\],"next":null\}\{"balances":.*"transaction_id":"T-1"/,
      ),
      expect.stringMatching(/\{"lines":2,"accepted":2,.*"status":"(RECEIVED|FINISHED)".*\[\{"id":/s),
      expect.stringMatching(/^\{"cancelled":\d,"submission":/),
      expect.stringMatching(/"plan":\{"would_create":1,"would_correct":1,.*"outcome":"would_correct"/s),
      expect.stringMatching(
        /"accepted":2,.*"kind":"notes","addition":\{"added":1,.*"kind":"transactions","addition":\{"added":1,.*"reconciled":true/s,
      ),
      expect.stringMatching(/"upload","line",.*\r\n"1","2","BOOK-1",/s),
      expect.stringContaining('"measure":"opening_balance","currency":"GBP","expected":"0.00"'),
      expect.stringMatching(
        /^\{"events":\[\{"id":"evt_.*"next":"[\w-]+"\}\s*\{"events":\[.*"next":"[\w-]+"\}$/s,
      ),
      expect.stringMatching(
        /^\[\{"id":"\d+","import_supplier":"DEMO".*\]\{"id":"\d+".*"status":"UNVERIFIED"/,
      ),
      expect.stringMatching(
        /"verified":true,"status":200,.*"delivered":true,"status":204,.*"type":"data_import.webhook_test-v1"/,
      ),
      expect.stringMatching(/"secret":"whsec_.*"status":"DISABLED".*"status":"ENABLED".*204$/s),
      expect.stringMatching(/\{"external_account_number":"EXAMPLE-1".*"status":"PROCESSED","error":null/s),
      expect.stringMatching(/^\[/),
      expect.stringContaining('"outcome":"CREATED"'),
      expect.stringMatching(/"profile":"core".*"auto_allocate_operations_team":true.*\{"error_codes":\[/s),
      expect.stringContaining('{"status":"ok"}'),
    ]);
    expect(answers.at(-1)).toContain('portage_http_request_duration_seconds');
    expect(answers.at(-1)).toContain('"openapi":"3');
    expect(answers.at(-1)).toContain('"asyncapi":"3');
  });

  it("the supplier's guide has commands that work as pasted in an empty folder, against the real API", async () => {
    const work = newDirectory();
    const importer = `node ${builtProgram('importer')}`;
    const gb = ['supplier', 'create', 'DEMO_GB', '--organisation', 'Supplier Ltd'];
    await portage.operator(...gb, '--profile', 'gb-energy');
    const lists = join(portage.directory, 'lists.json');
    await writeFile(lists, JSON.stringify({ operations_teams: ['North desk'] }));
    await portage.operator('reference', 'import', lists);
    const script = commands('suppliers-guide.md').join('\necho; echo ---\n');
    const { stdout } = await promisify(execFile)(
      'bash',
      ['--norc', '-ec', script.replaceAll('npm --prefix "$PORTAGE" run import-book --', importer)],
      {
        cwd: work,
        env: {
          ...portage.env,
          HOME: work,
          PORTAGE: REPOSITORY,
          BASE_URL: portage.baseUrl,
          API_KEY: portage.apiKey,
        },
      },
    );
    const outputs = stdout.split('\n---\n').map((output) => output.trim());
    const [, settings, household, , profiled, guessed, , mapChecked, mapped, ...ofBooks] = outputs;
    const [checked, rehearsed, imported, corrected, added, delta, compared] = ofBooks;
    const [suppliers, supplier] = settings!.split('\n').map((line): unknown => JSON.parse(line));
    expect(suppliers).toMatchObject([
      { code: 'DEMO', profile: 'core' },
      { code: 'DEMO_GB', profile: 'gb-energy' },
      { code: 'LEGACY' },
    ]);
    const teams = { list: 'operations_teams', supply_type: null, count: 1, codes: ['North desk'] };
    expect(supplier).toMatchObject({
      profile: 'core',
      reference_data: [teams],
      limits: { max_array_items: 10_000 },
      quotas: { open_submissions: { used: 0 } },
    });
    expect(household).toBe('{}');
    expect(profiled).toContain('1 in another form, such as "31/02/2022" in row 7');
    expect(guessed).toMatch(/12 of 15 columns mapped.*\n.*6 of 8 columns mapped/);
    expect(mapChecked).toMatch(/Accounts without errors: 4\nAccounts with errors: 1\n/);
    expect(mapChecked).toMatch(
      /accounts\.csv row 7, START "31\/02\/2022": unreadable_cell.*(\n.*)*exit code 1/,
    );
    expect(mapChecked).toMatch(/exit code 1\n(.*\n)*.*10002/);
    expect(mapped).toMatch(/│ accounts +│ +5 │ +5 │ +5 │ +0 │ +0 │/);
    expect(mapped).toMatch(/│ opening balance GBP +│ +1125\.50 │ +1125\.50 │ +1125\.50 │ +0\.00 │ +0\.00 │/);
    expect(mapped).toContain('Reconciled.');
    expect(mapped).toMatch(/accounts\.csv"?,"?5"?,"?10004"?,"?account"?,"?processed/);
    expect(rehearsed).toMatch(/ dry run succeeded +│ +3 /);
    expect(checked).toMatch(/ dry run succeeded +│ +1 /);
    expect(checked).toMatch(/ conflicting lines +│ +2 /);
    expect(checked).toMatch(/ equal lines +│ +1 /);
    expect(checked).toMatch(/exit code 1\n(.*\n)+.*GUIDE-3"?,"?refused"?,"?invalid_phone_number/);
    const report = JSON.parse(imported!.slice(imported!.indexOf('{'))) as Record<string, unknown>;
    expect(report).toMatchObject({ accepted: 3, processed: 3, repeated: 1, refused: {}, unfinished: 0 });
    expect(imported).toMatch(/│ accounts +│ +3 │ +3 │ +3 │ +0 │ +0 │/);
    expect(imported).toContain('Reconciled.');
    expect(corrected).toMatch(
      /NOT RECONCILED\.(\n.*)*exit code 1\n(.*\n)+.*GUIDE-7"?,"?refused"?,"?invalid_phone/,
    );
    expect(corrected).toMatch(/Reconciled\.\s*$/);
    const numbers = added!.replace(/[^\w\n ]/g, '');
    expect(numbers).toMatch(/^ transactions +2 +1 +1 +1 +1 +0 *$/m);
    expect(added).toMatch(/GUIDE-1"?,"?differing"?,"?addition_differing/);
    expect(delta).toMatch(/ corrected +│ +1 /);
    expect(delta).toContain('Reconciled.');
    expect(compared).toMatch(
      /GUIDE-1"?,"?refused"?,"?account_import_process_already_imported.*with other content/,
    );
  });
});
