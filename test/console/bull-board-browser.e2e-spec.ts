import { QUEUE_NAMES } from '../../libs/platform/src/queues/job-contract';
import { processId } from '@portage/testing';
import type { Page } from 'playwright-core';
import { describeConsole } from './console-suite';

describeConsole('Bull Board', (suite) => {
  /** Imports an account while its supplier is complete, so that its job fails. Returns the id of the job. */
  async function failedJobOf(number: string): Promise<string> {
    const { portage } = suite;
    const taskParams = { schedule_window_start: new Date(Date.now() + 3_000).toISOString() };
    const scheduled = { payload: portage.account(number), task_params: taskParams };
    expect((await portage.schedule(scheduled)).status).toBe(201);
    await portage.operator('supplier', 'set-status', suite.code, 'Complete', '--yes');
    await portage.waitForAccount(number, 'ERRORED');
    return `process-${await processId(portage, number)}-1`;
  }

  it('requires a session, shows a failed job and its process, and requests nothing from other hosts', async () => {
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
    // The board is read-only, and offers no changes.
    expect(await page.locator('button:has(svg.lucide-ellipsis-vertical)').count()).toBe(0);
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

    expect([...origins]).toEqual([baseUrl]);
  });
});

async function queuesInMenu(page: Page): Promise<string[]> {
  const texts = await page
    .locator('nav a[href*="/queues/queue/"], aside a[href*="/queues/queue/"]')
    .allInnerTexts();
  return texts.map((text) => text.split('\n')[0]!.trim());
}
