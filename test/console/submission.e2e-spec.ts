import { text } from 'node:stream/consumers';
import { sendBook, tomorrow } from '@portage/testing';
import type { Page } from 'playwright-core';
import { describeConsole } from './console-suite';

describeConsole('a submission', (suite) => {
  const book = (...numbers: string[]) => numbers.map((number) => suite.portage.account(number));
  const invalid = (number: string) =>
    suite.portage.account(number, { customers: [{ family_name: 'Aldous', landline: '1' }] });
  const statusOf = async (id: string): Promise<string> =>
    (await suite.portage.get(`/v2/data-import/submissions/${id}/`)).body.status as string;
  const waitUntilFinished = async (page: Page) =>
    page.locator('.page-title').getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });

  async function download(page: Page, button: string): Promise<string> {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: button }).click(),
    ]);
    return text(await file.createReadStream());
  }

  it('shows its progress while it is imported, and reconciles what was expected with the accounts', async () => {
    const lines = [...book('B-1', 'B-2', 'B-3'), invalid('B-4')];
    const id = await sendBook(suite.portage, lines, {
      reference: 'the first book',
      expected: { accounts: 3 },
      isComplete: false,
    });
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto('/');
    await page.getByRole('link', { name: 'the first book' }).click();
    await console.waitForHeading('the first book');
    await page.locator('.page-title').getByText('Open', { exact: true }).waitFor();
    expect(await page.locator('.page-title .tone-bad').count()).toBe(0);
    // The page shows the end of the upload without a reload.
    await suite.portage.send('POST', `/v2/data-import/submissions/${id}/complete/`);
    await waitUntilFinished(page);
    const figures = page.locator('.figure');
    expect(await figures.filter({ hasText: 'Progress' }).innerText()).toMatch(/100%\s*3 of 3/);
    expect(await figures.filter({ hasText: 'Received' }).innerText()).toMatch(/4\s*1 refused, 0 repeated/);

    const accounts = page.getByRole('row', { name: /^Accounts/ });
    await accounts.waitFor();
    expect((await accounts.getByRole('cell').allInnerTexts()).slice(0, 4)).toEqual(['3', '4', '3', '1']);
    await page.getByText('Reconciled', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'List its processes' }).click();
    await page.getByRole('link', { name: 'B-3' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(3);

    await console.goto('/submissions');
    const listed = page.getByRole('row', { name: /^the first book/ }).filter({ hasText: suite.code });
    // The maintenance compares it once a minute.
    await listed.getByText('Reconciled', { exact: true }).waitFor({ timeout: 200_000 });
    const cells = await listed.getByRole('cell').allInnerTexts();
    expect(cells[0]).toBe('Accounts');
    // Received, ended, refused, errors.
    expect(cells.slice(4, 8).map((cell) => cell.trim())).toEqual(['4', '3 of 3', '1', '0']);
    await page.getByLabel('Supplier', { exact: true }).fill(suite.code);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(`**/submissions?supplier=${suite.code}`);
    await listed.waitFor();
  });

  it('shows a difference from what was expected, and gives its results to download: all, or those with an error', async () => {
    const id = await sendBook(suite.portage, [...book('D-1', 'D-2'), invalid('D-3')], {
      reference: 'results',
      expected: { accounts: 3 },
    });
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto(`/submissions/${id}`);
    await waitUntilFinished(page);
    const row = page.getByRole('row', { name: /^Accounts/ });
    await page.getByText('Not reconciled', { exact: true }).waitFor();
    expect((await row.getByRole('cell').allInnerTexts()).at(-1)).toMatch(/^-?1$/);
    const csv = (await download(page, 'All as CSV')).trim().split(/\r?\n/);
    expect(csv).toHaveLength(4);
    expect(csv[1]).toContain('D-1');
    const lines = (await download(page, 'All as NDJSON')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual([
      'processed',
      'processed',
      'refused',
    ]);
    const refused = (await download(page, 'Errors as CSV')).trim().split(/\r?\n/);
    expect(refused).toHaveLength(2);
    expect(refused[1]).toContain('D-3');
  });

  it('a rehearsal is reconciled by what would be imported', async () => {
    const id = await sendBook(suite.portage, [...book('H-1', 'H-2'), invalid('H-3')], {
      reference: 'a rehearsal',
      taskParams: { is_dry_run: true },
    });
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto(`/submissions/${id}`);
    await waitUntilFinished(page);
    await page.getByText('Rehearsal reconciled', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Would be imported' }).waitFor();
    const row = page.getByRole('row', { name: /^Accounts/ });
    // Expected, received, imported, would be imported, refused.
    expect((await row.getByRole('cell').allInnerTexts()).slice(1, 5)).toEqual(['3', '0', '2', '1']);
    await page.getByRole('row', { name: /^Total of statements \(GBP, minor units\)/ }).waitFor();
  });

  it('a submission that corrects shows its mode, its plan in a rehearsal, and what has become of its accounts', async () => {
    await sendBook(suite.portage, book('C-1', 'C-2'), { reference: 'before corrections' });
    for (const number of ['C-1', 'C-2']) await suite.portage.waitForAccount(number, 'PROCESSED');
    const named = suite.portage.account('C-2', { customers: [{ given_name: 'Ada', family_name: 'Wren' }] });
    const lines = [...book('C-1', 'C-3'), named];
    const send = async (reference: string, isDryRun: boolean) =>
      sendBook(suite.portage, lines, {
        reference,
        mode: 'create-or-correct',
        taskParams: { is_dry_run: isDryRun },
      });
    const console = await suite.openAs('viewer');
    const { page } = console;
    const factsOf = async (panel: string) =>
      page.getByRole('region', { name: panel, exact: true }).innerText();
    await console.goto(`/submissions/${await send('a plan', true)}`);
    await waitUntilFinished(page);
    expect(await factsOf('Plan')).toMatch(/New\s+1\s+Corrected\s+1\s+Unchanged\s+1\s+Refused\s+0/);
    expect(await factsOf('Submission')).toMatch(/Kind\s+Accounts\s+Mode\s+Create or correct/);
    await console.goto(`/submissions/${await send('corrections', false)}`);
    await waitUntilFinished(page);
    await page.getByText('Accounts: 1 created, 1 corrected, 1 unchanged', { exact: true }).waitFor();
    await page.getByText('Reconciled', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Plan', exact: true }).count()).toBe(0);
  });

  it('a submission of additions shows its lines and the measures of what was added', async () => {
    await suite.portage.importAccount('P-1');
    const about = suite.portage.about('P-1');
    const id = await suite.portage.openSubmission('additions', { kind: 'additions' });
    const lines = [
      { notes: { ...about, notes: [{ body: 'Called.' }] } },
      {
        transactions: {
          ...about,
          transactions: [
            { transaction_id: 'P-1', transaction_date: '2024-06-15', type: 'PAYMENT', amount: '10.00' },
          ],
        },
      },
    ];
    await suite.portage.upload(id, lines, {}, 'additions');
    await suite.portage.completeSubmission(id);
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/submissions/${id}`);
    await waitUntilFinished(page);
    await page.getByRole('region', { name: 'States of lines' }).waitFor();
    await page.getByRole('row', { name: /^Notes/ }).waitFor();
    await page.getByRole('row', { name: /^Total of payments \(GBP\)/ }).waitFor();
    const header = (await download(page, 'All as CSV')).split('\n')[0];
    for (const column of ['kind', 'added', 'existing', 'different', 'moved'])
      expect(header).toContain(`"${column}"`);
    expect(await page.getByRole('button', { name: 'Roll back' }).count()).toBe(0);
    await console.goto('/submissions');
    const listed = page.getByRole('row', { name: /^additions/ }).filter({ hasText: suite.code });
    await listed.waitFor();
    expect((await listed.getByRole('cell').allInnerTexts())[0]).toBe('Additions');
    const kinds = async () =>
      page.getByRole('row').filter({ hasText: suite.code }).locator('td:first-of-type').allInnerTexts();
    for (const [kind, label] of [
      ['additions', 'Additions'],
      ['accounts', 'Accounts'],
    ] as const) {
      await page.getByLabel('Kind', { exact: true }).selectOption(kind);
      await page.getByLabel('Supplier', { exact: true }).fill(suite.code);
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.waitForURL(new RegExp(`kind=${kind}`));
      await page.getByRole('row').filter({ hasText: suite.code }).first().waitFor();
      await listed.waitFor({ state: kind === 'additions' ? 'visible' : 'detached' });
      expect(new Set(await kinds())).toEqual(new Set([label]));
    }
  });

  it('says that its accounts wait for their release, and releases them', async () => {
    await suite.portage.operator('supplier', 'set', suite.code, '--creation-mode', 'staged');
    const id = await sendBook(suite.portage, book('W-1', 'W-2'), { reference: 'to release' });
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/submissions/${id}`);
    await page
      .locator('.page-title')
      .getByText('Awaiting release', { exact: true })
      .waitFor({ timeout: 60_000 });
    await suite.portage.operator('supplier', 'set', suite.code, '--creation-mode', 'direct');
    await page.getByText('Accounts that wait for their release: 2.').waitFor();
    const progress = page.locator('.figure').filter({ hasText: 'Progress' });
    expect(await progress.innerText()).toMatch(/0%\s*0 of 2/);
    await console.goto('/');
    const item = page.locator('.action-item', { hasText: 'Accounts wait for their release' });
    await item.filter({ hasText: suite.code }).getByRole('button', { name: 'Release' }).waitFor();
    await console.goto(`/submissions/${id}`);
    await page.getByRole('button', { name: 'Release' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('2 accounts can be changed now.').waitFor();
    await dialog.getByLabel(`Type ${suite.code} to confirm`).fill(suite.code);
    await dialog.getByRole('button', { name: 'Release 2' }).click();
    await dialog.getByText('Done. 2 accounts changed.').waitFor();
    for (const number of ['W-1', 'W-2']) await suite.portage.waitForAccount(number, 'PROCESSED');
    await progress.getByText('100%').waitFor();
    expect(await page.getByText('wait for their release').count()).toBe(0);
  });

  it('is aborted after its id was typed: accounts that wait are cancelled', async () => {
    const id = await sendBook(suite.portage, book('A-1', 'A-2'), {
      reference: 'to abort',
      taskParams: tomorrow(),
    });
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/submissions/${id}`);
    await page.getByRole('button', { name: 'Abort' }).click();
    const run = page.getByRole('dialog').getByRole('button', { name: 'Abort submission' });
    await page.getByLabel(`Type ${id} to confirm`).fill(`${id}0`);
    expect(await run.isDisabled()).toBe(true);
    await page.getByLabel(`Type ${id} to confirm`).fill(id);
    await run.click();
    await page.getByText('The submission was aborted. Cancelled accounts: 2.').waitFor();
    await page.locator('.page-title').getByText('Aborted', { exact: true }).waitFor();
    expect(await statusOf(id)).toBe('ABORTED');
    expect(await suite.statuses()).toMatchObject({ 'A-1': 'CANCELLED', 'A-2': 'CANCELLED' });
    expect(await page.getByRole('button', { name: 'Abort' }).count()).toBe(0);
    // The button that opened the dialog has gone; the keyboard goes on in the page.
    await page.waitForFunction('document.activeElement !== document.body');
  });

  it('is rolled back after a dry run has shown how many accounts, and its id was typed', async () => {
    const id = await sendBook(suite.portage, book('R-1', 'R-2'), { reference: 'to roll back' });
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/submissions/${id}`);
    await waitUntilFinished(page);
    await page.getByRole('button', { name: 'Roll back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('2 accounts would be rolled back.').waitFor();
    const run = dialog.getByRole('button', { name: 'Roll back 2' });
    expect(await run.isDisabled()).toBe(true);
    expect(await suite.statuses()).toMatchObject({ 'R-1': 'PROCESSED', 'R-2': 'PROCESSED' });
    await dialog.getByLabel(`Type ${id} to confirm`).fill(id);
    await run.click();
    await dialog.getByText('2 accounts rolled back.').waitFor();
    const accounts = await suite.portage.sql(
      `SELECT number FROM account WHERE external_account_number IN ('R-1', 'R-2')
         AND supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [suite.code],
    );
    expect(accounts).toEqual([]);
    expect(await suite.statuses()).toMatchObject({ 'R-1': 'CANCELLED', 'R-2': 'CANCELLED' });
    expect(await suite.audited('operator')).toEqual(
      expect.arrayContaining(['submission.abort', 'submission.rollback']),
    );
  });
});
