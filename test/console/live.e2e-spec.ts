import { sendBook } from '@portage/testing';
import type { Route } from 'playwright-core';
import { describeConsole } from './console-suite';

describeConsole('live figures', (suite) => {
  const unavailable = async (route: Route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', detail: 'The database does not answer.' } });
  /** A request that is never answered. */
  const silent = (): void => undefined;

  it.each([
    ['are refused', unavailable],
    ['are not answered', silent],
  ])(
    'are not called live while reads %s, nor is anything called healthy, and are again after it',
    async (_fault, fail) => {
      const console = await suite.openAs('viewer');
      const { page } = console;
      await console.goto('/');
      const label = (text: string) => page.getByRole('status').getByText(text, { exact: true });
      const health = page.getByRole('region', { name: 'Health' });
      const row = page.locator('.supplier-row', { hasText: suite.code });
      await label('Live').waitFor();
      await row.getByText('Ongoing', { exact: true }).waitFor();
      expect(await health.innerText()).toContain('alive');
      await page.route('**/operator/v1/overview', fail);
      await label('Not live').waitFor({ timeout: 60_000 });
      const parts = await health.innerText();
      expect([parts.includes('does not answer'), parts.includes('alive'), parts.includes('OK')]).toEqual([
        true,
        false,
        false,
      ]);
      await page.unroute('**/operator/v1/overview');
      await label('Live').waitFor({ timeout: 90_000 });
      await suite.portage.operator('supplier', 'set-status', suite.code, 'Paused');
      await row.getByText('Paused', { exact: true }).waitFor();
      await suite.portage.operator('supplier', 'set-status', suite.code, 'Ongoing');
      await row.getByText('Ongoing', { exact: true }).waitFor();
      console.errors.splice(0);
    },
  );

  it('the figures of a page that could not be read are read again by themselves', async () => {
    const console = await suite.openAs('viewer');
    const { page } = console;
    await page.route('**/operator/v1/audit*', unavailable);
    await console.goto('/audit');
    await page.getByText('The database does not answer.').waitFor({ timeout: 60_000 });
    await page.unroute('**/operator/v1/audit*');
    await page.getByRole('region', { name: 'Table: Audit entries' }).waitFor({ timeout: 60_000 });
    console.errors.splice(0);
  });

  it('the figures of a submission change on its page and on the overview without a reload', async () => {
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
    await suite.portage.upload(id, [suite.portage.account('LIVE-2')]);
    await received.getByText('2', { exact: true }).waitFor();
    await suite.portage.completeSubmission(id);
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
