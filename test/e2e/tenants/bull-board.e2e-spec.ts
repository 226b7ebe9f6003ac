import {
  type Answer,
  type OperatorClient,
  sendBook,
  SharedPortage,
  signIn,
  testedBackends,
  until,
} from '@portage/testing';
import { QUEUE_NAMES } from '../../../libs/platform/src/queues/job-contract';

const ANONYMOUS = { authorization: undefined };

interface ShownJob {
  id: string;
  name: string;
  failedReason?: string;
  data: { supplier: string };
}

describe.each(testedBackends())('Bull Board, with the queue in %s', (backend) => {
  const portage = SharedPortage.use(backend);
  let operator: OperatorClient;

  beforeAll(async () => {
    operator = await signIn(portage, 'operator');
  });

  const get = async (
    path: string,
    headers: Record<string, string | undefined> = operator.headers,
  ): Promise<Answer> => portage.get(path, headers);

  /** The jobs of this test's supplier in a state. */
  const jobs = async (state: string): Promise<ShownJob[]> => {
    const shown: ShownJob[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const path = `/queues/api/queues?activeQueue=account-imports&status=${state}&page=${page}`;
      const [queue] = (await get(path)).body.queues;
      shown.push(...(queue.jobs as ShownJob[]));
      pages = queue.pagination.pageCount as number;
    }
    return shown.filter(({ data }) => data.supplier === portage.supplier);
  };
  const jobOf = async (number: string, state: string): Promise<ShownJob | undefined> =>
    (await jobs(state)).find(({ name }) => name === `import-account ${portage.supplier} ${number}`);

  /** Waits until there is a job of the account in the state. Returns it. */
  async function waitForJob(number: string, state: string): Promise<ShownJob> {
    let job: ShownJob | undefined;
    await until(
      async () => (job = await jobOf(number, state)) !== undefined,
      () => `${number} has no ${state} job`,
    );
    return job!;
  }

  const setStatus = async (status: 'Ongoing' | 'Complete') =>
    portage.operator('supplier', 'set-status', portage.supplier, status, '--yes');

  /** Imports an account while its supplier is complete, so that its job fails. Returns the job. */
  async function failedJobOf(number: string): Promise<ShownJob> {
    const task_params = { schedule_window_start: new Date(Date.now() + 3_000).toISOString() };
    expect((await portage.schedule({ payload: portage.account(number), task_params })).status).toBe(201);
    await setStatus('Complete');
    try {
      await portage.waitForAccount(number, 'ERRORED');
      return await waitForJob(number, 'failed');
    } finally {
      await setStatus('Ongoing');
    }
  }

  it('serves its pages and scripts to the operator', async () => {
    for (const path of ['/queues', '/queues/queue/account-imports']) {
      const { status, headers, text } = await get(path);
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
      expect(text).toContain('Portage queues');
    }
    const script = /src="([^"]+\.js)"/.exec((await get('/queues')).text)![1]!;
    const { status, headers } = await get(new URL(script, `${portage.baseUrl}/queues/`).pathname);
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('javascript')]);
  });

  it('shows every queue with its jobs', async () => {
    expect((await portage.schedule(portage.account('shown'))).status).toBe(201);
    await waitForJob('shown', 'completed');
    const { status, body } = await get('/queues/api/queues');
    expect(status).toBe(200);
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual([...QUEUE_NAMES]);
    expect(body.queues[0]).toMatchObject({ counts: { waiting: expect.any(Number) }, isPaused: false });
    expect(body.queues[0].counts.completed).toBeGreaterThanOrEqual(1);
  });

  it('shows a failed job with its code and without personal data', async () => {
    const job = await failedJobOf('failed');
    expect(job).toMatchObject({
      name: `import-account ${portage.supplier} failed`,
      failedReason: 'import_supplier_migration_not_ongoing',
      externalUrl: {
        displayText: 'Import process',
        href: `/queues/import-processes/${portage.supplier}/failed`,
      },
    });
    expect(job.data).toEqual({
      processId: expect.any(String),
      version: 1,
      supplier: portage.supplier,
      organisationId: expect.any(Number),
      externalAccountNumber: 'failed',
    });
    expect(JSON.stringify(job)).not.toMatch(/Maeve|Aldous|1212345678/);
  });

  it('links a job to the page of its process in the console, for the operator only', async () => {
    const { externalUrl } = (await failedJobOf('linked')) as ShownJob & { externalUrl: { href: string } };
    const path = externalUrl.href;
    const { status, headers } = await get(path);
    expect([status, headers['location']]).toEqual([
      302,
      expect.stringMatching(new RegExp(`^/console/suppliers/${portage.supplier}/processes/\\d+$`)),
    ]);
    expect((await get(path, ANONYMOUS)).status).toBe(401);
    expect((await get(path, { authorization: `Token ${portage.token}` })).status).toBe(401);
    for (const unknown of [
      `/queues/import-processes/${portage.supplier}/unknown`,
      '/queues/import-processes/NONE/linked',
    ])
      expect((await get(unknown)).status).toBe(404);
  });

  it('shows the job of a batch with the number of its accounts, and links it to the processes of its supplier', async () => {
    const lines = ['uploaded-1', 'uploaded-2'].map((number) => portage.account(number));
    await sendBook(portage, lines, { reference: 'the book', isComplete: false });
    const name = `import-accounts ${portage.supplier} 2 accounts`;
    let job: (ShownJob & { externalUrl?: { href: string } }) | undefined;
    await until(
      async () => (job = (await jobs('completed')).find((shown) => shown.name === name)) !== undefined,
      'the batch has no job',
    );
    expect(job!.externalUrl!.href).toBe(`/console/suppliers/${portage.supplier}/processes`);
  });
});
