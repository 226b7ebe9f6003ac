import { QUEUE_NAMES } from '../../libs/platform/src/queues/job-contract';
import { processId, signIn, tomorrow, until } from '@portage/testing';
import type { Page } from 'playwright-core';
import { describeConsole } from './console-suite';

describeConsole('Bull Board', (suite) => {
  const setStatus = async (status: 'Ongoing' | 'Complete') =>
    suite.portage.operator('supplier', 'set-status', suite.code, status, '--yes');

  /** Imports an account while its supplier is complete, so that its job fails. Returns the id of the job. */
  async function failedJobOf(number: string): Promise<string> {
    const { portage } = suite;
    const scheduled = { payload: portage.account(number), task_params: tomorrow() };
    expect((await portage.schedule(scheduled)).status).toBe(201);
    const id = await processId(portage, number);
    // A retry then starts at once.
    await portage.sql('UPDATE import_process SET schedule_window_start = NULL WHERE id = $1', [id]);
    await setStatus('Complete');
    const { headers } = await signIn(portage, 'operator');
    const promote = `/queues/api/queues/account-imports/process-${id}-1/promote`;
    await until(
      async () => (await portage.send('PUT', promote, { headers })).status < 300,
      'The job is not promoted.',
    );
    await portage.waitForAccount(number, 'ERRORED');
    return `process-${id}-1`;
  }

  it('requires a session, shows a failed job and its process, retries it, and requests nothing from other hosts', async () => {
    const anonymous = await suite.open();
    await anonymous.page.goto(`${anonymous.baseUrl}/queues/`);
    expect(anonymous.page.url()).toBe(`${anonymous.baseUrl}/console/login?next=%2Fqueues%2F`);

    const job = await failedJobOf('N-1 / 2');
    const { page, context, baseUrl, origins, errors } = await suite.openAs('operator');
    await page.goto(`${baseUrl}/queues/`);
    await page.getByText('account-imports').first().waitFor();
    expect(await queuesInMenu(page)).toEqual([...QUEUE_NAMES]);

    await page.getByRole('navigation').getByText('account-imports').click();
    await page.goto(`${baseUrl}/queues/queue/account-imports?status=failed`);
    await page.getByText(`import-account ${suite.code} N-1 / 2`).first().waitFor();
    // Changes that the API refuses are not offered.
    await page.locator('button:has(svg.lucide-ellipsis-vertical)').last().click();
    await page.getByRole('menuitem', { name: 'Pause' }).waitFor();
    for (const name of ['Add job', 'Empty', 'Obliterate'])
      expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: job }).click();
    const reason = page.getByText('import_supplier_migration_not_ongoing');
    await reason.first().waitFor();

    const [process] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Import process' }).click(),
    ]);
    await process.getByRole('heading', { name: 'N-1 / 2' }).waitFor();
    await process.getByText('import_supplier_migration_not_ongoing').first().waitFor();
    await process.close();

    // Violations of the Content-Security-Policy are reported as console errors.
    expect(errors).toEqual([]);

    for (const icon of ['trash-2', 'files', 'pencil'])
      await expect(page.locator(`main button:has(svg.lucide-${icon})`).first().isVisible()).resolves.toBe(
        false,
      );
    expect(await page.locator('main button:has(svg.lucide-trash-2)').count()).toBeGreaterThan(0);

    await setStatus('Ongoing');
    await clickByTooltip(page, 'Retry');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await suite.portage.waitForAccount('N-1 / 2', 'PROCESSED', { after: 'ERRORED' });
    expect([...origins]).toEqual([baseUrl]);
  });
});

async function queuesInMenu(page: Page): Promise<string[]> {
  const texts = await page
    .locator('nav a[href*="/queues/queue/"], aside a[href*="/queues/queue/"]')
    .allInnerTexts();
  return texts.map((text) => text.split('\n')[0]!.trim());
}

/** Clicks the button with this tooltip. The buttons of a job have icons and no text. */
async function clickByTooltip(page: Page, text: string): Promise<void> {
  for (const button of await page.locator('main li button').all()) {
    await button.hover();
    const tooltip = page.getByText(text, { exact: true });
    const isShown = await tooltip.waitFor({ timeout: 1_500 }).then(
      () => true,
      () => false,
    );
    if (!isShown) continue;
    await button.click();
    return;
  }
  throw new Error(`No button has the tooltip ${text}: ${await page.locator('main').innerHTML()}`);
}
