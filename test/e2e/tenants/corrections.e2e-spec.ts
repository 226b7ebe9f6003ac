import { SharedPortage, testedBackends, until } from '@portage/testing';

describe.each(testedBackends())('corrections, with the queue in %s', (backend) => {
  const portage = SharedPortage.use(backend);
  const ACCOUNTS = '/v2/data-import/accounts/';

  const pathOf = (number: string, action: string) =>
    `${ACCOUNTS}${portage.supplier}/${encodeURIComponent(number)}/${action}/`;
  const correct = async (number: string, more: object, headers: Record<string, string> = {}) =>
    portage.post(pathOf(number, 'correct'), portage.account(number, more), headers);
  const RENAMED = { customers: [{ given_name: 'Maeve', family_name: 'Reed' }] };

  async function imported(number: string): Promise<string> {
    const { headers } = await portage.importAccount(number);
    return String(headers['payload-digest']);
  }

  async function untilCorrected(number: string, status: string): Promise<void> {
    await until(
      async () =>
        ((await portage.status(number)).body.correction as { status: string } | null)?.status === status,
      `the correction is not ${status}`,
    );
  }

  it('change the account, and show it in its status, its digest and the feed', async () => {
    const digest = await imported('to correct');
    const { body: start } = await portage.get(
      `/v2/data-import/events/?supplier=${portage.supplier}&after=now`,
    );
    const answer = await correct('to correct', RENAMED, { 'if-match': `"${digest}"` });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        version: 2,
        changes: expect.arrayContaining([
          { path: 'customers.0.family_name', from: expect.anything(), to: 'Reed' },
        ]),
        change_count: expect.any(Number),
      },
    ]);
    await untilCorrected('to correct', 'SUCCEEDED');
    const { body, headers } = await portage.status('to correct');
    expect(body).toMatchObject({
      status: 'PROCESSED',
      correction: { version: 2, is_dry_run: false, error: null },
    });
    expect(headers['payload-digest']).toBe(answer.headers['payload-digest']);
    const { body: read } = await portage.get(pathOf('to correct', 'account'));
    expect(read).toMatchObject({ account: { customers: [{ family_name: 'Reed' }] } });
    const { body: feed } = await portage.get(
      `/v2/data-import/events/?supplier=${portage.supplier}&after=${start.next as string}&wait=5`,
    );
    // The event of the import may become visible after the start.
    expect(feed.events.slice(-1)).toMatchObject([
      {
        type: 'data_import.import_process.corrected-v1',
        data: { platform_account_number: body.platform_identifier, error: null },
      },
    ]);
    const again = await correct('to correct', RENAMED);
    expect([again.status, again.body]).toEqual([200, { version: 2, changes: [], change_count: 0 }]);
    const stale = await correct('to correct', {}, { 'if-match': `"${digest}"` });
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
  });

  it('are refused with what is wrong, and where', async () => {
    await imported('to refuse');
    const invalid = await correct('to refuse', { customers: [{ email: 'nobody' }] });
    expect([invalid.status, invalid.body.code]).toEqual([400, 'account_failed_validation']);
    expect(invalid.body.errors).toContainEqual(expect.objectContaining({ attr: 'customers.0.email' }));
    const header = await correct('to refuse', RENAMED, { 'if-match': 'W/"1"' });
    expect([header.status, header.body.errors]).toEqual([
      400,
      [expect.objectContaining({ attr: 'If-Match' })],
    ]);
    const unknown = await correct('never sent', RENAMED);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  });

  it('take an account back, whose number is free then', async () => {
    await imported('to take back');
    const taken = await portage.post(pathOf('to take back', 'take-back'), undefined);
    expect([taken.status, taken.body]).toMatchObject([
      200,
      { status: 'CANCELLED', platform_identifier: null },
    ]);
    expect((await portage.get(pathOf('to take back', 'account'))).status).toBe(404);
    await imported('to take back');
  });
});
