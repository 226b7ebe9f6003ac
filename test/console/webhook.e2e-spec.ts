import { until } from '@portage/testing';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';
import { Webhook } from 'standardwebhooks';
import { describeConsole } from './console-suite';

describeConsole('a webhook endpoint', (suite) => {
  let receiver: WebhookReceiver;
  let status = 204;
  let id = '';

  beforeAll(async () => {
    receiver = await WebhookReceiver.start((_request, response) => response.writeHead(status).end());
    const created = await suite.portage.post('/v2/data-import/webhook-endpoints/', {
      import_supplier: suite.code,
      url: receiver.url,
      description: 'Billing',
      types: ['data_import.import_process.complete-v1'],
    });
    id = created.body.id as string;
  });
  afterAll(async () => receiver.stop());

  const stored = async (): Promise<string> => {
    const [row] = await suite.portage.sql<{ status: string }>(
      'SELECT status FROM webhook_endpoint WHERE id = $1',
      [id],
    );
    return row!.status;
  };
  const delivered = async (count: number): Promise<void> =>
    until(
      () => receiver.requests.length >= count,
      () => `${receiver.requests.length} events were delivered.`,
    );

  it('is verified by its receiver, and gets events from then on', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/webhooks/${id}`);
    await page.locator('.page-title').getByText('Unverified', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('button', { name: 'Send challenge' }).click();
    await page.locator('.notice').getByText('The receiver has returned the challenge.').waitFor();
    await page.locator('.page-title').getByText('Enabled', { exact: true }).waitFor();
    expect(await suite.audited('operator')).toContain('webhook.verify');
  });

  it('is listed with its supplier, and shows its attempts with their outcomes', async () => {
    await suite.portage.schedule(suite.portage.account('HOOK-1'));
    await delivered(1);
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto(`/webhooks?supplier=${suite.code}`);
    await page.getByRole('link', { name: receiver.url }).click();
    await console.waitForHeading(`Endpoint ${id}`);
    const row = page.getByRole('row').filter({ hasText: 'data_import.import_process.complete-v1' });
    await row.getByText('Delivered').waitFor();
    expect(await row.innerText()).toContain('204');
    await page.getByText('Billing').waitFor();
  });

  it('is tested, and what the receiver answered is shown', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/webhooks/${id}`);
    for (const [answer, sentence] of [
      [204, 'The receiver answered with 204.'],
      [500, /^Not delivered: /],
    ] as const) {
      status = answer;
      await page.getByRole('button', { name: 'Send test' }).click();
      await page.getByRole('button', { name: 'Send test event' }).click();
      await page.locator('.notice').getByText(sentence).waitFor();
    }
    status = 204;
  });

  it('is disabled and enabled, and gets what was kept meanwhile', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/webhooks/${id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('The endpoint is disabled.').waitFor();
    await page.locator('.page-title').getByText('Disabled', { exact: true }).waitFor();
    expect(await stored()).toBe('DISABLED');
    const before = receiver.requests.length;
    await suite.portage.importAccount('HOOK-2');
    expect(receiver.requests).toHaveLength(before);
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('The endpoint is enabled.').waitFor();
    expect(await stored()).toBe('ENABLED');
    await delivered(before + 1);
  });

  it('gets its events again from the first one', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/webhooks/${id}`);
    receiver.requests.length = 0;
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Events are delivered from the chosen place on.').waitFor();
    await delivered(2);
    expect(receiver.requests.map(({ body }) => body).join()).toMatch(/HOOK-1.*HOOK-2/);
    expect(await suite.audited('operator')).toEqual(
      expect.arrayContaining(['webhook.test', 'webhook.disable', 'webhook.enable', 'webhook.replay']),
    );
  });

  it('gets another secret, which is shown once and signs its events', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto(`/webhooks/${id}`);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const secret = await page.locator('.secret code').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(secret);
    receiver.requests.length = 0;
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.locator('.notice').getByText('The receiver answered with 204.').waitFor();
    const { body, headers } = receiver.requests.at(-1)!;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
    expect(await suite.audited('operator')).toContain('webhook.rotate-secret');
  });

  it('is created by an operator, who sees its secret once, and deleted once its id was typed', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    const url = `${receiver.url}/second`;
    await console.goto(`/webhooks?supplier=${suite.code}`);
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await dialog.getByLabel('URL').fill('ftp://hooks.example.com/');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    // The address is refused; the dialog stays open with the reason.
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('URL').fill(url);
    await dialog.getByLabel('Description').fill('Second');
    await dialog.getByLabel('Account created').check();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    expect(await page.locator('.secret code').innerText()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    const [created] = await suite.portage.sql<{ id: string }>(
      'SELECT id, types, description FROM webhook_endpoint WHERE url = $1',
      [url],
    );
    expect(created).toMatchObject({
      types: ['data_import.import_process.complete-v1'],
      description: 'Second',
    });

    await page.getByRole('link', { name: url }).click();
    await console.waitForHeading(`Endpoint ${created!.id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const run = dialog.getByRole('button', { name: 'Delete endpoint' });
    expect(await run.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${created!.id} to confirm`).fill(created!.id);
    await run.click();
    await console.waitForHeading('Webhooks');
    await page.getByRole('link', { name: url }).waitFor({ state: 'detached' });
    expect(await suite.portage.sql('SELECT id FROM webhook_endpoint WHERE url = $1', [url])).toEqual([]);
    expect(await suite.audited('operator')).toEqual(
      expect.arrayContaining(['webhook.create', 'webhook.delete']),
    );
  });
});
