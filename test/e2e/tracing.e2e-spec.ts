import {
  account,
  type CollectedSpan,
  testedBackends,
  TestPortage,
  TraceCollector,
  until,
} from '@portage/testing';

const CALLER = '4bf92f3577b34da6a3ce929d0e0e4736';

describe.each(testedBackends())('with the queue in %s', (backend) => {
  let collector: TraceCollector;
  let portage: TestPortage;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    portage = await TestPortage.start({ backend, env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  });
  afterAll(async () => {
    await portage.stop();
    await collector.stop();
  });

  const traceOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const named = (spans: readonly CollectedSpan[], name: string) => spans.find((span) => span.name === name);

  it("one trace leads from the caller's request through the queue to the last statement", async () => {
    const traceparent = `00-${CALLER}-00f067aa0ba902b7-01`;
    const { status } = await portage.post('/v2/data-import/accounts/', account('traced'), { traceparent });
    expect(status).toBe(201);
    await portage.waitFor('PROCESSED', 1);
    const request = 'POST /v2/data-import/accounts/';
    const names = () => traceOf(CALLER).map(({ name }) => name);
    await until(
      () => ['process account-imports', 'enqueue account-imports'].every((name) => names().includes(name)),
      10_000,
      () => names().join(', '),
    );
    const spans = traceOf(CALLER);
    const root = spans.find(({ name }) => name.replace(/\/$/, '') === request.replace(/\/$/, ''))!;
    const enqueued = named(spans, 'enqueue account-imports')!;
    const job = named(spans, 'process account-imports')!;
    expect(root.parentSpanId).toBe('00f067aa0ba902b7');
    expect(enqueued.parentSpanId).toBe(root.spanId);
    expect(job.parentSpanId).toBe(enqueued.spanId);
    const inRequest = spans
      .filter(({ parentSpanId }) => parentSpanId === root.spanId)
      .map(({ name }) => name);
    const inJob = spans.filter(({ parentSpanId }) => parentSpanId === job.spanId).map(({ name }) => name);
    expect(inRequest).toContain('insert-scheduled-imports');
    expect(inJob).toContainEqual(expect.stringMatching(/start/));
    expect(inJob).toContainEqual(expect.stringMatching(/create/));
  });

  it('a request that brings no trace begins one of its own', async () => {
    expect((await portage.schedule(account('alone'))).status).toBe(201);
    await portage.waitFor('PROCESSED', 2);
    const jobs = () => collector.spans.filter(({ name }) => name === 'process account-imports');
    await until(
      () => jobs().length === 2,
      10_000,
      () => `${jobs().length} jobs`,
    );
    const [own] = jobs().filter(({ traceId }) => traceId !== CALLER);
    const roots = traceOf(own!.traceId).filter(({ parentSpanId }) => !parentSpanId);
    expect(roots.map(({ name }) => name)).toEqual([expect.stringContaining('POST ')]);
  });

  it('a caller that says it is not traced is not', async () => {
    const untraced = '5bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${untraced}-00f067aa0ba902b7-00`;
    expect((await portage.post('/v2/data-import/accounts/', account('quiet'), { traceparent })).status).toBe(
      201,
    );
    await portage.waitFor('PROCESSED', 3);
    await Promise.all([portage.api!.stop(), ...portage.workers.map(async (worker) => worker.stop())]);
    expect(traceOf(untraced)).toEqual([]);
  });

  it('no span says anything about a person, and nobody traces what is merely asked for now and then', () => {
    expect(collector.spans.length).toBeGreaterThan(10);
    expect(collector.text).not.toMatch(/Maeve|Aldous|1212345678/);
    const routes = collector.spans.map(({ name }) => name).filter((name) => name.startsWith('GET /health'));
    expect(routes).toEqual([]);
  });
});

it('a collector that is away delays nobody', async () => {
  const portage = await TestPortage.start({
    backend: 'postgres',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  });
  try {
    expect((await portage.schedule(account('away'))).status).toBe(201);
    await portage.waitFor('PROCESSED', 1);
    const start = performance.now();
    expect(await portage.workers[0]!.stop()).toBe(true);
    expect(performance.now() - start).toBeLessThan(10_000);
  } finally {
    await portage.stop();
  }
});
