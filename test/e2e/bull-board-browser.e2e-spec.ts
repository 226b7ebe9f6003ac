import { QUEUE_NAMES } from '@portage/platform';
import { account, announceSkipped, findChromium, Installation, MISSING, signIn } from '@portage/testing';
import { type Browser, chromium, type Page } from 'playwright-core';

const program = findChromium();
if (!program) announceSkipped('Bull Board in a browser', MISSING.chromium);

(program ? describe : describe.skip)('Bull Board in a browser', () => {
  let portage: Installation;
  let browser: Browser;

  beforeAll(async () => {
    portage = await Installation.start({
      backend: 'postgres',
      workers: 0,
      // The sweeper starts with the worker, and might replace the failed job.
      env: { SWEEP_AFTER_MS: '600000' },
    });
    expect((await portage.schedule(account('N-1 / 2'))).status).toBe(201);
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Complete', '--yes');
    await portage.startWorker();
    await portage.waitFor('ERRORED', 1);
    browser = await chromium.launch({
      executablePath: program!,
      // The sandbox of Chromium needs privileges that containers lack. The browser opens pages of Portage only.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => {
    await browser.close();
    await portage.stop();
  });

  it('requires a session, shows a failed job and its process, retries it, and requests nothing from other hosts', async () => {
    const anonymous = await browser.newPage();
    await anonymous.goto(`${portage.baseUrl}/queues/`);
    expect(anonymous.url()).toBe(`${portage.baseUrl}/console/login?next=%2Fqueues%2F`);

    const { headers } = await signIn(portage, 'operator');
    const [name = '', value = ''] = headers.cookie.split('=');
    const context = await browser.newContext();
    await context.addCookies([
      { name, value, url: portage.baseUrl, httpOnly: true, sameSite: 'Strict', secure: false },
    ]);
    const origins = new Set<string>();
    const consoleErrors: string[] = [];
    context.on('request', (request) => origins.add(new URL(request.url()).origin));
    context.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(`${message.text()} ${message.location().url}`);
    });
    const page = await context.newPage();
    await page.goto(`${portage.baseUrl}/queues/`);
    await page.getByText('account-imports').first().waitFor();
    expect(await queuesInMenu(page)).toEqual([...QUEUE_NAMES]);

    await page.getByRole('navigation').getByText('account-imports').click();
    await page.goto(`${portage.baseUrl}/queues/queue/account-imports?status=failed`);
    await page.getByText('import-account LEGACY N-1 / 2').first().waitFor();
    // Changes that the API refuses are not offered.
    await page.locator('button:has(svg.lucide-ellipsis-vertical)').last().click();
    await page.getByRole('menuitem', { name: 'Pause' }).waitFor();
    for (const name of ['Add job', 'Empty', 'Obliterate'])
      expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'process-1-1' }).click();
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
    expect(consoleErrors).toEqual([]);

    for (const icon of ['trash-2', 'files', 'pencil'])
      await expect(page.locator(`main button:has(svg.lucide-${icon})`).first().isVisible()).resolves.toBe(
        false,
      );
    expect(await page.locator('main button:has(svg.lucide-trash-2)').count()).toBeGreaterThan(0);

    await portage.operator('supplier', 'set-status', 'LEGACY', 'Ongoing');
    await clickByTooltip(page, 'Retry');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await portage.waitFor('PROCESSED', 1);
    expect([...origins]).toEqual([portage.baseUrl]);
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
