import { type Browser, chromium, type Page } from 'playwright-core';
import { account, findChromium, TestPortage } from '@portage/testing';

const PASSWORD = 'correct horse battery';
const program = findChromium();
if (!program)
  process.stderr.write('SKIPPED: the walk through Bull Board, for there is no chromium on the PATH.\n');

(program ? describe : describe.skip)('an operator in front of Bull Board', () => {
  let portage: TestPortage;
  let browser: Browser;

  beforeAll(async () => {
    portage = await TestPortage.start({
      backend: 'postgres',
      workers: 0,
      // The sweeper begins with the worker, and may replace the very job that has just failed.
      env: { BULL_BOARD_PASSWORD: PASSWORD, SWEEP_AFTER_MS: '600000' },
    });
    expect((await portage.schedule(account('N-1 / 2'))).status).toBe(201);
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Paused');
    await portage.startWorker();
    await portage.waitFor('ERRORED', 1);
    browser = await chromium.launch({
      executablePath: program!,
      // As root, and in containers, there is no sandbox to be had. Only our own pages are opened.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => {
    await browser.close();
    await portage.stop();
  });

  it('gets in with the password only, opens a failed job and its process, retries it, and no other host hears of it', async () => {
    const stranger = await browser.newPage();
    await expect(stranger.goto(`${portage.baseUrl}/queues/`)).rejects.toThrow('ERR_INVALID_AUTH_CREDENTIALS');

    const context = await browser.newContext({
      httpCredentials: { username: 'operator', password: PASSWORD },
    });
    const asked = new Set<string>();
    const complaints: string[] = [];
    context.on('request', (request) => asked.add(new URL(request.url()).origin));
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
    });
    const page = await context.newPage();
    await page.goto(`${portage.baseUrl}/queues/`);
    await page.getByText('account-imports').first().waitFor();
    expect(await queuesInTheMenu(page)).toEqual([
      'account-imports',
      'transactions',
      'payment-instructions',
      'documents',
      'emails',
      'maintenance',
    ]);

    await page.getByRole('navigation').getByText('account-imports').click();
    await page.goto(`${portage.baseUrl}/queues/queue/account-imports?status=failed`);
    await page.getByText('import-account LEGACY N-1 / 2').first().waitFor();
    await page.getByRole('link', { name: 'process-1-1' }).click();
    const reason = page.getByText('import_supplier_migration_not_ongoing');
    await reason.first().waitFor();

    const [process] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Import process' }).click(),
    ]);
    await process.getByRole('heading', { name: 'LEGACY N-1 / 2' }).waitFor();
    expect(await process.getByRole('row', { name: 'Status' }).innerText()).toContain('ERRORED');
    await process.close();

    // Among them would be what the page's own security policy has refused.
    expect(complaints).toEqual([]);

    await portage.operator('supplier', 'set-status', 'LEGACY', 'Ongoing');
    await pressByTooltip(page, 'Retry');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await portage.waitFor('PROCESSED', 1);
    expect([...asked]).toEqual([portage.baseUrl]);
  });
});

async function queuesInTheMenu(page: Page): Promise<string[]> {
  const texts = await page
    .locator('nav a[href*="/queues/queue/"], aside a[href*="/queues/queue/"]')
    .allInnerTexts();
  return texts.map((text) => text.split('\n')[0]!.trim());
}

/** The buttons of a job are pictures; what each does is said once the pointer is on it. */
async function pressByTooltip(page: Page, text: string): Promise<void> {
  for (const button of await page.locator('main li button').all()) {
    await button.hover();
    const tooltip = page.getByText(text, { exact: true });
    const said = await tooltip.waitFor({ timeout: 1_500 }).then(
      () => true,
      () => false,
    );
    if (!said) continue;
    await button.click();
    return;
  }
  throw new Error(`No button says ${text}: ${await page.locator('main').innerHTML()}`);
}
