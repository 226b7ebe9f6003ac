import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sendBook, storeErrored, storeWaiting, tomorrow, until } from '@portage/testing';
import { describeConsole } from './console-suite';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');

describeConsole('a supplier', (suite) => {
  /** Opens the list with a filter and the dialog that changes what it lists. */
  const openDialog = async (role: 'operator' | 'admin', filter: string) => {
    const console = await suite.openAs(role);
    await console.goto(`/suppliers/${suite.code}/processes?${filter}`);
    await console.page.getByRole('button', { name: 'Change accounts' }).click();
    return { console, page: console.page, dialog: console.page.getByRole('dialog') };
  };
  const confirm = () => `Type ${suite.code} to confirm`;
  const withStatus = async (status: string): Promise<string[]> =>
    Object.entries(await suite.statuses()).flatMap(([number, one]) => (one === status ? [number] : []));

  it('shows its funnel, its most frequent errors and an example of each', async () => {
    await suite.portage.importAccount('SHOWN-1');
    await storeErrored(suite.portage, ['SHOWN-2'], { code: 'invalid_email', detail: 'Words.' });
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto(`/suppliers/${suite.code}`);
    for (const title of ['States of accounts', 'Funnel', 'Throughput', 'Most frequent errors'])
      await page.getByRole('heading', { name: title, level: 2 }).waitFor();
    const row = page.getByRole('row', { name: /^invalid_email/ });
    await row.waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Failed accounts as CSV' }).click(),
    ]);
    expect(await text(await download.createReadStream())).toContain('SHOWN-2');
    await row.getByRole('link', { name: 'SHOWN-2' }).click();
    await console.waitForHeading('SHOWN-2');
  });

  it('has a rule of its own, and a default again', async () => {
    const console = await suite.openAs('admin');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    await console.goto(`/suppliers/${suite.code}/settings`);
    const set = async (name: string, value: string) => {
      await page.getByRole('button', { name: 'Set rule' }).click();
      await dialog.getByLabel('Setting').fill(name);
      await dialog.getByLabel('Value').fill(value);
      await dialog.getByRole('button', { name: 'Set rule' }).click();
    };
    await set('no_such_rule', 'true');
    await dialog.getByRole('alert').getByText('skip_property_creation').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await set('skip_property_creation', 'true');
    await page.getByText('Skip property creation').waitFor();
    await set('skip_property_creation', '');
    await page.getByText('All settings of rules have their defaults.').waitFor();
  });

  it('has documents that were missing inspected again', async () => {
    const { portage, code } = suite;
    await portage.operator('supplier', 'set', code, '--document-root', code);
    await portage.importAccount('PAPER-1');
    const file = join(portage.directory, 'documents', code, 'letters', '1.pdf');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, PDF);
    const note = { document_paths: [{ document_path: '/letters/1.pdf' }] };
    await portage.post('/v1/data-import/notes/create/', {
      ...portage.about('PAPER-1'),
      notes: [note],
    });
    const documents = async () =>
      portage.sql<{ state: string }>(
        `SELECT document.state FROM document JOIN account ON account.id = account_id
         WHERE external_account_number = 'PAPER-1' AND supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
        [code],
      );
    const stored = async () =>
      until(
        async () => (await documents()).some(({ state }) => state === 'STORED'),
        'The document was not stored.',
      );
    await stored();
    await portage.sql(
      `UPDATE document SET state = 'MISSING', size = NULL, media_type = NULL, sha256 = NULL,
         error_code = 'document_not_found', unsettled_supplier_id = supplier_id FROM account WHERE account.id = account_id
         AND external_account_number = 'PAPER-1' AND supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [code],
    );
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto('/');
    const item = page.locator('.action-item', { hasText: 'Documents are missing' }).filter({ hasText: code });
    await item.getByText('1 documents').waitFor();
    await item.getByRole('link', { name: 'List documents' }).click();
    await page.getByRole('row', { name: /^PAPER-1 Missing document_not_found/ }).waitFor();
    await page.getByRole('button', { name: 'Retry documents' }).click();
    await page.getByRole('dialog').getByLabel('Which').selectOption('missing');
    await page.getByRole('dialog').getByRole('button', { name: 'Retry documents' }).click();
    await page.getByText('Documents that are inspected again: 1.').waitFor();
    await page.getByText('No document matches').waitFor();
    await stored();
  });

  it('lists refused lines by code and path with masked values, and payment instructions by outcome', async () => {
    const { portage, code } = suite;
    const landline = { customers: [{ family_name: 'Aldous', landline: '1' }] };
    await sendBook(portage, [portage.account('LINE-1', landline), portage.account('PAID-1')], {
      reference: 'lines',
    });
    await portage.waitForAccount('PAID-1', 'PROCESSED');
    await portage.sql(
      `INSERT INTO account_request (organisation_id, account_id, kind, fingerprint, actor, status, outcome, finished_at)
       SELECT organisation_id, account.id, 'payment-instruction', '', 'api-key:test', 'DONE',
         '{"kind": "refused", "code": "instruction_not_found"}', now()
       FROM account JOIN import_supplier supplier ON supplier.id = supplier_id
       WHERE external_account_number = 'PAID-1' AND code = $1`,
      [code],
    );
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto(`/suppliers/${code}`);
    await page.getByRole('link', { name: '1 refused lines' }).click();
    const line = page.getByRole('row', { name: /^LINE-1/ });
    expect(await line.innerText()).toMatch(/customers\.0\.landline[^]*1, line 1[^]*lines/);
    await page.getByLabel('Path').fill('customers.0.email');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('No refused line matches').waitFor();
    expect(page.url()).toMatch(/\/refused-lines\?path=customers\.0\.email$/);

    await page.getByRole('link', { name: 'Payment instructions' }).click();
    await page.getByLabel('Outcome').selectOption('refused');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('row', { name: /^PAID-1 Refused instruction_not_found/ }).waitFor();
    await page.getByRole('link', { name: 'PAID-1' }).click();
    await page.getByRole('row', { name: /^Payment instruction Refused instruction_not_found/ }).waitFor();
    expect(await page.getByText('Answered', { exact: true }).count()).toBe(0);
  });

  it('retries accounts with an error once their number was shown and its code typed, and they are imported', async () => {
    const numbers = ['RETRY-1', 'RETRY-2', 'RETRY-3'];
    await storeErrored(suite.portage, numbers, { code: 'error', detail: 'Words.' });
    const { page, dialog } = await openDialog('operator', 'status=ERRORED&error_code=error');
    await dialog.getByText('Accounts in state “Errored”, with error error').waitFor();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('3 accounts can be changed now.').waitFor();
    const run = dialog.getByRole('button', { name: 'Retry 3' });
    for (const wrong of ['', 'LEGACY', suite.code.toLowerCase()]) {
      await dialog.getByLabel(confirm()).fill(wrong);
      expect(await run.isDisabled()).toBe(true);
    }
    expect(await withStatus('ERRORED')).toEqual(expect.arrayContaining(numbers));
    // The API does not rely on the page.
    const body = { action: 'retry', selection: { error_code: 'error' }, supplier_code_typed: 'LEGACY' };
    const refused = await suite.request(page, 'POST', `/suppliers/${suite.code}/process-actions`, body);
    expect(refused).toEqual([400, 'confirmation_required']);

    await dialog.getByLabel(confirm()).fill(suite.code);
    await run.click();
    await dialog.getByText('Done. 3 accounts changed.').waitFor();
    for (const number of numbers) await suite.portage.waitForAccount(number, 'PROCESSED');
    expect((await suite.audited('operator')).slice(-1)).toEqual(['process.retry']);
  });

  it('releases the first accounts of a dry run, in the order of their creation, and then the others', async () => {
    await suite.portage.operator('supplier', 'set', suite.code, '--creation-mode', 'staged');
    const numbers = ['STAGED-1', 'STAGED-2', 'STAGED-3', 'STAGED-4'];
    for (const number of numbers) await suite.portage.schedule(suite.portage.account(number));
    await suite.portage.waitFor('DRY_RUN_SUCCEEDED', 4);
    await suite.portage.operator('supplier', 'set', suite.code, '--creation-mode', 'direct');
    const { console, page, dialog } = await openDialog('operator', 'status=DRY_RUN_SUCCEEDED');
    expect(await dialog.getByLabel('Action').inputValue()).toBe('release');
    await dialog.getByLabel('Only the first').fill('2');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('2 accounts can be changed now.').waitFor();
    await dialog.getByLabel(confirm()).fill(suite.code);
    await dialog.getByRole('button', { name: 'Release 2' }).click();
    await dialog.getByText('Done. 2 accounts changed.').waitFor();
    for (const number of numbers.slice(0, 2)) await suite.portage.waitForAccount(number, 'PROCESSED');
    expect(await withStatus('DRY_RUN_SUCCEEDED')).toEqual(numbers.slice(2));
    await dialog.getByRole('button', { name: 'Done' }).click();

    await console.goto(`/suppliers/${suite.code}/processes?status=DRY_RUN_SUCCEEDED`);
    await page.getByRole('button', { name: 'Change accounts' }).click();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByLabel(confirm()).fill(suite.code);
    await dialog.getByRole('button', { name: 'Release 2' }).click();
    await dialog.getByText('Done. 2 accounts changed.').waitFor();
    for (const number of numbers) await suite.portage.waitForAccount(number, 'PROCESSED');
  });

  it('cancels waiting accounts, and retries a cancelled one that was selected', async () => {
    for (const number of ['W-1', 'W-2'])
      await suite.portage.schedule({ payload: suite.portage.account(number), task_params: tomorrow() });
    const { page, dialog } = await openDialog('operator', 'status=PENDING');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('2 accounts can be changed now.').waitFor();
    await dialog.getByLabel(confirm()).fill(suite.code);
    await dialog.getByRole('button', { name: 'Cancel 2' }).click();
    await dialog.getByText('Done. 2 accounts changed.').waitFor();
    expect(await withStatus('CANCELLED')).toEqual(['W-1', 'W-2']);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByLabel('Account number begins with').fill('W-');
    await page.getByLabel('State').selectOption('');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByLabel('Select W-2').check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Change selected' }).click();
    await dialog.getByText('Account W-2').waitFor();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('1 account can be changed now.').waitFor();
    await dialog.getByLabel(confirm()).fill(suite.code);
    await dialog.getByRole('button', { name: 'Retry 1' }).click();
    await dialog.getByText('Done. 1 account changed.').waitFor();
    expect(await suite.statuses()).toMatchObject({ 'W-1': 'CANCELLED', 'W-2': 'PENDING' });
  });

  it('changes more accounts than one call does call by call, and shows how far it is', async () => {
    await storeWaiting(suite.portage, 3);
    const { page, dialog } = await openDialog('admin', 'status=PENDING');
    let calls = 0;
    await page.route('**/process-actions', async (route) => {
      calls += 1;
      // As the API answers when more accounts are left than one call changes.
      if (calls === 1) {
        const json = { changed: 10_000, skipped: {}, without_job: 0, remaining: true, next_cursor: null };
        await route.fulfill({ status: 202, json });
        return;
      }
      // The second call begins when the page has shown the outcome of the first.
      await dialog.getByText('In progress. 10,000 accounts changed.').waitFor();
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByLabel(confirm()).fill(suite.code);
    await dialog.getByRole('button', { name: /^Cancel \d/ }).click();
    await dialog.getByText(/^Done\. 10,00\d accounts changed\.$/).waitFor();
    expect(calls).toBe(2);
    const cancelled = await suite.portage.countRows(
      `import_process WHERE status = 'CANCELLED' AND external_account_number LIKE 'LATER-%'
         AND supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [suite.code],
    );
    expect(cancelled).toBe(3);
    expect((await suite.audited('admin')).slice(-1)).toEqual(['process.cancel']);
  });

  it('is paused and resumed, and the overview of another operator shows it without a reload', async () => {
    const [acting, watching] = await Promise.all([suite.openAs('operator'), suite.openAs('viewer')]);
    await watching.goto('/');
    await watching.page.getByText('Live', { exact: true }).waitFor();
    await storeWaiting(suite.portage, 2, { supplier: suite.code, prefix: 'HELD-' });
    const waiting = Object.values(await suite.statuses()).filter((status) => status === 'PENDING').length;
    await acting.goto(`/suppliers/${suite.code}`);
    const { page } = acting;
    for (const [action, status, consequence] of [
      ['Pause', 'Paused', `Accounts that have not begun: ${waiting}. They are held`],
      ['Resume', 'Ongoing', `Accounts that wait: ${waiting}. Their imports begin`],
    ] as const) {
      if (status === 'Ongoing')
        await page
          .getByText(`The supplier is paused. Accounts that wait until it is resumed: ${waiting}.`)
          .waitFor();
      await page.getByRole('button', { name: action, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(consequence).waitFor();
      await dialog.getByRole('button', { name: `${action} supplier` }).click();
      await page.getByText(`${suite.code} is ${status}.`).waitFor();
      const [stored] = await suite.portage.sql('SELECT status FROM import_supplier WHERE code = $1', [
        suite.code,
      ]);
      expect(stored).toEqual({ status });
      await watching.page
        .locator('.supplier-row', { hasText: suite.code })
        .getByText(status, { exact: true })
        .waitFor();
    }
    expect((await suite.audited('operator')).slice(-2)).toEqual([
      'supplier.set-status',
      'supplier.set-status',
    ]);
  });

  it('is complete once its code was typed, and takes no more accounts', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/suppliers/${suite.code}`);
    await page.getByRole('button', { name: 'Complete', exact: true }).click();
    const run = page.getByRole('dialog').getByRole('button', { name: 'Complete migration' });
    expect(await run.isDisabled()).toBe(true);
    const waiting = Object.values(await suite.statuses()).filter((status) => status === 'PENDING').length;
    await page.getByRole('dialog').getByText(`Accounts that have not begun: ${waiting}.`).waitFor();
    await page.getByLabel(confirm()).fill(suite.code);
    await run.click();
    await page.getByText(`${suite.code} is Complete.`).waitFor();
    const refused = await suite.portage.schedule(suite.portage.account('AFTER-1'));
    expect(refused.body.code).toBe('import_supplier_migration_not_ongoing');
  });
});
