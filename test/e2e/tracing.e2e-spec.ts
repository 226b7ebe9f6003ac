import { randomBytes } from 'node:crypto';
import {
  account,
  type CollectedSpan,
  Installation,
  signIn,
  testedBackends,
  TraceCollector,
  until,
} from '@portage/testing';

const CALLER = '4bf92f3577b34da6a3ce929d0e0e4736';

/** The lines of a log with this value in a field. */
function linesWith(log: string, field: string, value: string): Record<string, unknown>[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line[field] === value);
}

describe.each(testedBackends())('traces, with the queue in %s', (backend) => {
  let collector: TraceCollector;
  const portage = Installation.use(async () => {
    collector = await TraceCollector.start();
    return {
      backend,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        LOG_LEVEL: 'debug',
        TRACE_URL_TEMPLATE: 'https://traces.example.com/trace/{trace_id}',
      },
    };
  });
  afterAll(async () => collector.stop());

  const traceOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const named = (spans: readonly CollectedSpan[], name: string) => spans.find((span) => span.name === name);

  it("one trace connects the caller's request, the job and its last statement", async () => {
    const traceparent = `00-${CALLER}-00f067aa0ba902b7-01`;
    const { status } = await portage.post('/v2/data-import/accounts/', account('traced'), { traceparent });
    expect(status).toBe(201);
    await portage.waitForAccount('traced', 'PROCESSED');
    const request = 'POST /v2/data-import/accounts/';
    const names = () => traceOf(CALLER).map(({ name }) => name);
    await until(
      () =>
        ['process account-imports', 'enqueue account-imports'].every((name) => names().includes(name)) &&
        names().some((name) => name.startsWith('POST ')),
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
    expect(inRequest).toContain('write-pending-processes');
    expect(inJob).toContainEqual(expect.stringMatching(/read/));
    expect(inJob).toContainEqual(expect.stringMatching(/create/));
  });

  it('operators get a link from a process to its trace and to its job', async () => {
    const trace = randomBytes(16).toString('hex');
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    await portage.post('/v2/data-import/accounts/', account('linked'), { traceparent });
    await portage.waitForAccount('linked', 'PROCESSED');
    const viewer = await signIn(portage, 'viewer');
    const list = `/suppliers/${portage.supplier}/processes`;
    const { body: found } = await viewer.get(`${list}?text=linked`);
    const { body } = await viewer.get(`${list}/${String(found.items[0].id)}`);
    expect(body.links).toEqual({
      job: `process-${String(found.items[0].id)}-1`,
      trace: `https://traces.example.com/trace/${trace}`,
    });
  });

  it('the log lines of a request and of its job have the id of the job', async () => {
    const requestId = `trail-${backend}`;
    const { headers } = await portage.post('/v2/data-import/accounts/', account('trail'), {
      'x-request-id': requestId,
    });
    expect(headers['x-request-id']).toBe(requestId);
    await portage.waitForAccount('trail', 'PROCESSED');
    const [process] = await portage.sql<{ id: string }>(
      `SELECT id FROM import_process WHERE external_account_number = 'trail'`,
    );
    const jobId = `process-${process!.id}-1`;
    expect(linesWith(portage.log('api'), 'requestId', requestId)).toMatchObject([
      { msg: 'Request answered.', statusCode: 201, jobId },
    ]);
    await until(
      () => linesWith(portage.log('worker'), 'jobId', jobId).length > 0,
      () => `the worker's log has no line of ${jobId}`,
    );
    expect(linesWith(portage.log('worker'), 'jobId', jobId)).toMatchObject([
      { status: 'processed', processId: process!.id },
    ]);
  });

  it('a request without a trace starts one', async () => {
    const traces = () =>
      new Set(
        collector.spans.filter(({ name }) => name === 'process account-imports').map((span) => span.traceId),
      );
    const before = traces();
    expect((await portage.schedule(account('alone'))).status).toBe(201);
    await portage.waitForAccount('alone', 'PROCESSED');
    // The job of an earlier request may be exported after `before`; its trace began at the caller.
    const isNew = (traceId: string) =>
      !before.has(traceId) &&
      traceOf(traceId).some(({ name, parentSpanId }) => name.startsWith('POST ') && !parentSpanId);
    await until(
      () => [...traces()].some(isNew),
      () => `${traces().size} traces`,
    );
    const own = [...traces()].find(isNew)!;
    const roots = traceOf(own).filter(({ parentSpanId }) => !parentSpanId);
    expect(roots.map(({ name }) => name)).toEqual([expect.stringContaining('POST ')]);
  });

  it('a caller that opts out is not traced, no span has personal data, and health checks are not traced', async () => {
    const [untraced, traced] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    const post = async (number: string, trace: string, flags: '00' | '01') => {
      const traceparent = `00-${trace}-00f067aa0ba902b7-${flags}`;
      const { status } = await portage.post('/v2/data-import/accounts/', account(number), { traceparent });
      expect(status).toBe(201);
      await portage.waitForAccount(number, 'PROCESSED');
    };
    await post('quiet', untraced, '00');
    expect((await portage.get('/health/live')).status).toBe(200);
    // API and worker send spans in their order, so that these are the last ones.
    await post('loud', traced, '01');
    const isComplete = () =>
      named(traceOf(traced), 'process account-imports') !== undefined &&
      traceOf(traced).some(({ name }) => name.startsWith('POST '));
    await until(isComplete, () => `${traceOf(traced).length} spans`);
    expect(traceOf(untraced)).toEqual([]);
    expect(traceOf(traced).length).toBeGreaterThan(3);
    expect(collector.text).not.toMatch(/Maeve|Aldous|1212345678/);
    const routes = collector.spans.map(({ name }) => name).filter((name) => name.startsWith('GET /health'));
    expect(routes).toEqual([]);
  });

  // The stop does not depend on the queue backend.
  if (backend !== testedBackends()[0]) return;

  it('an API that stops sends its remaining spans before it exits', async () => {
    const second = await portage.addApi();
    const trace = randomBytes(16).toString('hex');
    const { status } = await portage.send('POST', '/v2/data-import/accounts/', {
      body: account('stopping'),
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
      baseUrl: second.baseUrl,
    });
    expect(status).toBe(201);
    expect(await second.stop()).toBe(true);
    expect(traceOf(trace).map(({ name }) => name)).toContainEqual(expect.stringMatching(/^POST /));
  });
});

it('an unreachable collector delays neither imports nor the stop of the worker', async () => {
  const portage = await Installation.start({
    backend: 'postgres',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  });
  try {
    expect((await portage.schedule(account('untraced'))).status).toBe(201);
    await portage.waitFor('PROCESSED', 1);
    const start = performance.now();
    expect(await portage.workers[0]!.stop()).toBe(true);
    expect(performance.now() - start).toBeLessThan(10_000);
  } finally {
    await portage.stop();
  }
});
