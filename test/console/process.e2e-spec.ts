import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processId, storeErrored } from '@portage/testing';
import { describeConsole } from './console-suite';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');
const CALLER = '4bf92f3577b34da6a3ce929d0e0e4736';

describeConsole('an account', (suite) => {
  /** The platform account number of an imported account. */
  const accountNumber = async (number: string): Promise<string> =>
    (await suite.portage.status(number)).body.platform_identifier;
  const pageOf = async (number: string): Promise<string> =>
    `/suppliers/${suite.code}/processes/${await processId(suite.portage, number)}`;

  it('shows what happened, what was created, its follow-ups and later requests, and links to its job and trace', async () => {
    const { portage, code } = suite;
    await portage.operator('supplier', 'set', code, '--document-root', code, '--send-migration-emails');
    const file = join(portage.directory, 'documents', code, 'letters', '1.pdf');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, PDF);
    const customer = { given_name: 'Maeve', family_name: 'Aldous', email: 'maeve@example.com' };
    const scheduled = await portage.post(
      '/v2/data-import/accounts/',
      portage.account('N-1', { customers: [customer] }),
      { traceparent: `00-${CALLER}-00f067aa0ba902b7-01` },
    );
    expect(scheduled.status).toBe(201);
    await portage.waitForAccount('N-1', 'PROCESSED');
    const note = { document_paths: [{ document_path: '/letters/1.pdf' }] };
    const about = portage.about('N-1');
    const noted = await portage.post('/v1/data-import/notes/create/', { ...about, notes: [note] });
    expect(noted.status).toBe(201);
    const payment = { transaction_id: 'P-1', transaction_date: '2024-06-15', type: 'PAYMENT', amount: 10 };
    const transactions = { ...about, transactions: [payment] };
    const added = await portage.post('/v1/data-import/transactions/create/', transactions);
    expect(added.status).toBe(201);

    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto(`/suppliers/${code}/processes`);
    await page.getByRole('link', { name: 'N-1', exact: true }).click();
    await console.waitForHeading('N-1');
    const events = page.locator('.timeline').getByRole('listitem');
    await events.nth(1).waitFor();
    const names = await events.locator('b').allInnerTexts();
    expect(names.slice(0, 2)).toEqual(['Scheduled', 'Processed']);
    expect(await events.first().innerText()).toMatch(/by api-key:/);
    expect(await events.nth(1).innerText()).toMatch(/after \d/);
    const panel = (title: string) => page.getByRole('region', { name: title });
    await panel('Created account')
      .getByText(await accountNumber('N-1'))
      .waitFor();
    for (const text of ['Documents', 'Welcome email']) await panel('Follow-ups').getByText(text).waitFor();
    await panel('Follow-ups').getByText('1 STORED').waitFor();
    await panel('Requests after the import')
      .getByRole('row', { name: /^Transactions/ })
      .waitFor();

    const trace = panel('Process').getByRole('link', { name: 'Open trace' });
    expect(await trace.getAttribute('href')).toBe(`https://traces.example.com/trace/${CALLER}`);
    const [board] = await Promise.all([
      console.context.waitForEvent('page'),
      panel('Process').getByRole('link', { name: 'Open in Bull Board' }).click(),
    ]);
    await board.getByText('N-1').first().waitFor();
    expect(await page.content()).not.toContain('maeve@example.com');
  });

  it('shows the path and the masked value of its error, to an operator its sentence too, and is retried', async () => {
    await storeErrored(suite.portage, ['MASKED'], {
      code: 'invalid_email',
      detail: 'customers.0.email: "maeve@secret.example" is not an e-mail address.',
      path: 'customers.0.email',
      payload: suite.portage.account('MASKED', {
        customers: [{ given_name: 'Maeve', family_name: 'Aldous', email: 'maeve@secret.example' }],
      }),
    });
    const shown = await suite.openAs('viewer');
    await shown.goto(await pageOf('MASKED'));
    await shown.page
      .getByRole('region', { name: 'Error' })
      .getByText(
        'invalid_email at customers.0.email, value masked xxxxx@xxxxxx.xxxxxxx (text, 20 characters)',
      )
      .waitFor();
    expect(await shown.page.content()).not.toMatch(/maeve|secret\.example/);

    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(await pageOf('MASKED'));
    await page
      .getByRole('region', { name: 'Error' })
      .getByText('"maeve@secret.example" is not an e-mail address.')
      .waitFor();
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByLabel(`Type ${suite.code} to confirm`).fill(suite.code);
    await dialog.getByRole('button', { name: 'Retry 1' }).click();
    await dialog.getByText('Done. 1 account changed.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    // The page reads itself again.
    await page.locator('.page-title').getByText('Processed', { exact: true }).waitFor();
    expect(await page.locator('.timeline b').allInnerTexts()).toEqual(
      expect.arrayContaining(['Errored', 'Retried', 'Processed']),
    );
    expect(await suite.statuses()).toMatchObject({ MASKED: 'PROCESSED' });
  });

  it('shows its payload only after a click that the audit records, and hides it again', async () => {
    await suite.portage.importAccount('P-1');
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(await pageOf('P-1'));
    await page.getByRole('button', { name: 'Show payload' }).click();
    expect(await suite.audited('operator')).not.toContain('process.read-payload');
    expect(await page.content()).not.toContain('Maeve');
    await page.getByRole('dialog').getByRole('button', { name: 'Show payload' }).click();
    await page.locator('pre.payload').getByText('"given_name": "Maeve"').waitFor();
    const entries = await suite.portage.sql(
      'SELECT actor, subject FROM audit_entry WHERE action = $1 AND supplier = $2',
      ['process.read-payload', suite.code],
    );
    expect(entries).toEqual([{ actor: `operator:${suite.nameOf('operator')}`, subject: 'P-1' }]);
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await page.content()).not.toContain('Maeve');
  });

  it('shows what is stored of it after a click that the audit records, and is erased by an admin who types its number', async () => {
    await suite.portage.importAccount('E-1');
    const number = await accountNumber('E-1');
    const console = await suite.openAs('admin');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    await console.goto(await pageOf('E-1'));
    await page.getByRole('button', { name: 'Show account' }).click();
    expect(await suite.audited('admin')).not.toContain('account.read');
    await dialog.getByRole('button', { name: 'Show account' }).click();
    await page.locator('pre.payload').getByText('Maeve').waitFor();
    expect(await suite.audited('admin')).toContain('account.read');
    await page.getByRole('button', { name: 'Hide' }).click();

    await page.getByRole('button', { name: 'Erase account' }).click();
    const run = dialog.getByRole('button', { name: 'Erase personal data' });
    expect(await run.isDisabled()).toBe(true);
    await dialog.getByLabel('Keep its documents in the document store').check();
    await dialog.getByLabel(`Type ${number} to confirm`).fill(number);
    await run.click();
    await page.getByText(`The personal data of ${number} was erased.`).waitFor();
    await page.getByText('Personal data erased').waitFor();
    await page.getByText('The payload was erased.').waitFor();
    expect(await page.getByRole('button', { name: 'Erase account' }).count()).toBe(0);
    expect(await suite.audited('admin')).toContain('account.erase');
    const customers = await suite.portage.sql(
      `SELECT customer.* FROM customer JOIN account ON account.id = account_id WHERE number = $1`,
      [number],
    );
    expect(JSON.stringify(customers)).not.toContain('Maeve');
  });

  it('is found by its number, shows versions, changed paths and, to operators, values, and is taken back with a reason', async () => {
    const { portage, code } = suite;
    for (const number of ['T-1', 'T-2']) await portage.importAccount(number);
    const corrected = portage.account('T-1', { customers: [{ given_name: 'Ada', family_name: 'Wren' }] });
    const { status } = await portage.post(`/v2/data-import/accounts/${code}/T-1/correct/`, corrected);
    expect(status).toBe(201);
    const noted = await portage.post('/v1/data-import/notes/create/', {
      ...portage.about('T-2'),
      notes: [{ body: 'Called.' }],
    });
    expect(noted.status).toBe(201);

    const viewer = await suite.openAs('viewer');
    await viewer.goto(await pageOf('T-1'));
    const corrections = viewer.page.getByRole('region', { name: 'Corrections', exact: true });
    await corrections.getByText('Succeeded', { exact: true }).waitFor({ timeout: 60_000 });
    await corrections
      .getByText(/^customers/)
      .first()
      .waitFor();
    expect(await corrections.innerText()).toMatch(/customers\.0\.family_name/);
    expect(await viewer.page.content()).not.toContain('Wren');
    expect(await viewer.page.getByRole('button', { name: 'Show values' }).count()).toBe(0);
    await corrections.getByText('Operators can read the values.').waitFor();
    const values = `${await pageOf('T-1')}/corrections/2`;
    expect(await suite.request(viewer.page, 'POST', values)).toEqual([403, 'operator_role_required']);
    expect(await viewer.page.getByRole('button', { name: 'Take back' }).count()).toBe(0);

    const console = await suite.openAs('operator');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    await console.goto('/accounts');
    await page.getByLabel('External or platform account number').fill('T-1');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page
      .getByRole('row', { name: /^T-1/ })
      .filter({ hasText: code })
      .getByRole('link', { name: 'T-1', exact: true })
      .click();
    await console.waitForHeading('T-1');
    await page.getByText('Version 2, attempt', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Show values' }).click();
    expect(await suite.audited('operator')).not.toContain('process.read-correction');
    await dialog.getByRole('button', { name: 'Show values' }).click();
    const shown = page.getByRole('region', { name: 'Values of version 2', exact: true });
    await shown
      .getByRole('row', { name: /^customers\.0\.family_name/ })
      .getByText('Wren')
      .waitFor();
    expect(await suite.audited('operator')).toContain('process.read-correction');
    await shown.getByRole('button', { name: 'Hide' }).click();
    expect(await page.content()).not.toContain('Wren');
    expect(await suite.request(page, 'POST', `${await pageOf('T-1')}/corrections/7`)).toEqual([
      404,
      'not_found',
    ]);
    const takeBack = async (number: string) => {
      await console.goto(await pageOf(number));
      await page.getByRole('button', { name: 'Take back' }).click();
      await dialog.getByLabel('Reason, for the audit').selectOption('duplicate');
      await dialog.getByLabel(`Type ${number} to confirm`).fill(number);
      await dialog.getByRole('button', { name: 'Take back' }).click();
    };
    await takeBack('T-1');
    await page.getByText(/^The account A-\w+ was deleted\.$/).waitFor();
    await page.locator('.page-title').getByText('Cancelled', { exact: true }).waitFor();
    await takeBack('T-2');
    await dialog.getByText('account_has_additions').waitFor();
    await dialog.getByText(/notes/).waitFor();
    expect(console.errors.splice(0).join()).toMatch(/400/);
    expect(await suite.statuses()).toMatchObject({ 'T-1': 'CANCELLED', 'T-2': 'PROCESSED' });
    expect(await suite.audited('operator')).toContain('account.take_back');
  });

  it('an import that did not become an account is erased by an admin who types its number', async () => {
    await storeErrored(suite.portage, ['GONE'], { code: 'error', detail: 'Words.' });
    const console = await suite.openAs('admin');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    await console.goto(await pageOf('GONE'));
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await dialog.getByLabel('Type GONE to confirm').fill('GONE');
    await dialog.getByRole('button', { name: 'Erase personal data' }).click();
    await page.getByText('The personal data of GONE was erased.').waitFor();
    await page.getByText('The payload was erased.').waitFor();
    const stored = await suite.portage.sql(
      `SELECT payload, error_detail FROM import_process
       LEFT JOIN import_process_payload ON process_id = import_process.id WHERE import_process.id = $1`,
      [await processId(suite.portage, 'GONE')],
    );
    expect(stored).toEqual([
      { payload: null, error_detail: 'The details were erased with the account data.' },
    ]);
    expect(await suite.audited('admin')).toContain('process.erase');
  });

  it('keeps its payload from viewers, who are told so', async () => {
    await storeErrored(suite.portage, ['KEPT'], { code: 'error', detail: 'Words.' });
    const console = await suite.openAs('viewer');
    await console.goto(await pageOf('KEPT'));
    await console.page.getByText('Operators can read it; viewers cannot.').waitFor();
    const path = `${await pageOf('KEPT')}/payload`;
    expect(await suite.request(console.page, 'POST', path)).toEqual([403, 'operator_role_required']);
  });

  it('is found by its own number and by that of its account, whichever supplier has sent it', async () => {
    await suite.portage.importAccount('FIND-1');
    const created = await accountNumber('FIND-1');
    const console = await suite.openAs('viewer');
    const { page } = console;
    for (const number of ['FIND-1', created]) {
      await console.goto('/accounts');
      await page.getByLabel('External or platform account number').fill(number);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      const row = page.getByRole('row', { name: /^FIND-1/ }).filter({ hasText: suite.code });
      await row.getByText(created, { exact: true }).waitFor();
    }
    await page.getByRole('link', { name: 'FIND-1' }).first().click();
    await console.waitForHeading('FIND-1');
  });

  it('is found from the audit, which is searched by action and supplier', async () => {
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto('/audit');
    await page.getByLabel('Action', { exact: true }).fill('process.read-payload');
    await page.getByLabel('Supplier', { exact: true }).fill(suite.code);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'process.read-payload' });
    await row.waitFor();
    expect(await row.innerText()).toContain('P-1');
    expect(await page.locator('tbody tr').count()).toBe(1);
  });
});
