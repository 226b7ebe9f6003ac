import { type OperatorClient, SharedPortage, signIn, storeErrored, testedBackends } from '@portage/testing';

describe.each(testedBackends())('the operator API with the queue in %s', (backend) => {
  const portage = SharedPortage.use(backend);
  let operator: OperatorClient;

  beforeAll(async () => {
    operator = await signIn(portage, 'operator');
  });

  const at = (path: string) => `/suppliers/${portage.supplier}${path}`;

  async function find(number: string): Promise<Record<string, unknown> | undefined> {
    const { body } = await operator.get(at(`/processes?text=${number}`));
    return (body.items as Record<string, unknown>[])[0];
  }

  it('links a process to its job, which is retained after its end', async () => {
    await portage.importAccount('LINKED');
    const process = await find('LINKED');
    const { body } = await operator.get(at(`/processes/${String(process!['id'])}`));
    expect(body.links).toEqual({
      job: expect.stringMatching(/^(process-\d+-1|batch-\d+)$/),
      trace: null,
    });
    const { headers } = await signIn(portage, 'operator');
    const job = await portage.get(`/queues/api/queues/account-imports/${body.links.job}`, headers);
    expect([job.status, job.body.job.id]).toEqual([200, body.links.job]);
  });

  it('shows the figures of its queues', async () => {
    const { body } = await operator.get('/queues');
    const items = body.items as Record<string, unknown>[];
    const imports = items.find(({ name }) => name === 'account-imports')!;
    expect(imports).toMatchObject({ backend, paused: false });
    expect(items.every((item) => item['backend'] === backend)).toBe(true);
  });

  it('are what the command line shows, which counts nothing by itself', async () => {
    /** Without what moves from one call to the next. */
    const steady = ({ items }: { items: Record<string, unknown>[] }) =>
      items.map(({ name, backend: kind, paused }) => ({ name, kind, paused }));
    const { body: queues } = await operator.get('/queues');
    expect(steady({ items: await portage.operator('queue', 'list') })).toEqual(steady(queues));
    const { stdout: text } = await portage.cli('queue', 'list');
    expect(text).toMatch(/│ account-imports\s*│ no\s*│ \d+/);
    expect((await portage.cli('queue', 'pause', 'nonsense')).stderr).toContain('There is no such queue.');
  });

  it('retries a process: its job is added, and a worker performs it', async () => {
    await storeErrored(portage, ['AGAIN'], { code: 'error', detail: 'Unknown.' });
    const { status, body } = await operator.post(at('/process-actions'), {
      action: 'retry',
      selection: { external_account_numbers: ['AGAIN'] },
      supplier_code_typed: portage.supplier,
    });
    expect([status, body]).toMatchObject([202, { changed: 1, without_job: 0, remaining: false }]);
    await portage.waitForAccount('AGAIN', 'PROCESSED');
  });
});
