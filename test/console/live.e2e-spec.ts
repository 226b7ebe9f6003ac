import { sendBook } from '@portage/testing';
import { describeConsole } from './console-suite';
import { LossyProxy } from './lossy-proxy';

describeConsole('live figures', (suite) => {
  let proxy: LossyProxy;
  beforeAll(async () => {
    proxy = await LossyProxy.start(suite.portage.baseUrl);
  });
  afterAll(async () => proxy.stop());

  const setStatus = async (status: string) =>
    suite.portage.operator('supplier', 'set-status', suite.code, status);

  it.each([
    ['cut', 'Reconnecting'],
    ['refuse', 'Every 5 s'],
  ] as const)(
    'are read every five seconds while the stream is lost (%s), and stream again after it',
    async (fate, label) => {
      const console = await suite.openAs('viewer', { baseUrl: proxy.url });
      const { page } = console;
      // The intervals of the page pass at once.
      await page.clock.install();
      await console.goto('/');
      const state = (text: string) => page.getByRole('status').getByText(text, { exact: true });
      const row = page.locator('.supplier-row', { hasText: suite.code });
      let reads = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/operator/v1/overview')) reads += 1;
      });
      await state('Live').waitFor();
      await row.getByText('Ongoing', { exact: true }).waitFor();
      proxy.setStreams(fate);
      await state(label).waitFor();
      await setStatus('Paused');
      await page.clock.fastForward(5_000);
      await row.getByText('Paused', { exact: true }).waitFor();
      expect(reads).toBeGreaterThan(0);
      proxy.setStreams('pass');
      await page.clock.fastForward(10_000);
      await state('Live').waitFor({ timeout: 30_000 });
      const before = reads;
      await setStatus('Ongoing');
      await row.getByText('Ongoing', { exact: true }).waitFor();
      // The stream has brought it.
      expect(reads).toBe(before);
    },
    90_000,
  );

  it('of a submission change on its page and on the overview without a reload', async () => {
    const [own, overview] = await Promise.all([suite.openAs('viewer'), suite.openAs('viewer')]);
    const id = await sendBook(suite.portage, [suite.portage.account('LIVE-1')], {
      reference: `live ${suite.code}`,
      isComplete: false,
    });
    await overview.goto('/');
    const link = overview.page.getByRole('link', { name: `live ${suite.code}` });
    await link.waitFor();
    await own.goto(`/submissions/${id}`);
    const received = own.page.locator('.figure').filter({ hasText: 'Received' }).locator('.figure-value');
    await received.getByText('1', { exact: true }).waitFor();
    await suite.portage.post(
      `/v2/data-import/submissions/${id}/accounts/`,
      `${JSON.stringify(suite.portage.account('LIVE-2'))}\n`,
      { 'content-type': 'application/x-ndjson' },
    );
    await received.getByText('2', { exact: true }).waitFor();
    await suite.portage.send('POST', `/v2/data-import/submissions/${id}/complete/`);
    await own.page.locator('.page-title').getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });
    await link.waitFor({ state: 'detached' });
  });

  it('end with the session, which the page notices by itself', async () => {
    const console = await suite.signInAs('operator');
    await console.page.getByText('Live', { exact: true }).waitFor();
    await suite.portage.sql(
      'DELETE FROM operator_session WHERE operator_id = (SELECT id FROM operator WHERE name = $1)',
      [suite.nameOf('operator')],
    );
    await console.page.getByText('Your session has ended').waitFor();
  });
});
