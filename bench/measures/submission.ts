import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Delays, readDelays } from '../../test/isolation/event-loop-samples';
import { CHECKOUT } from '../environment/checkout';
import type { Installation } from '../environment/installation';
import { portage } from '../environment/program';
import { residentMemory, watchMemory } from '../environment/resident-memory';
import type { ProcessorTimes, RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { OtherTenant } from '../other-tenant';
import { formatFigure } from '../results';
import type { Latencies } from '../statistics';
import { readSubmissionFile, type SubmissionFile, writeSubmissionFile } from '../submission-file';
import type { Bench, Findings, Measure, Table } from './measure';

const SUBMISSIONS = '/v2/data-import/submissions/';
const WARM_UP_ACCOUNTS = 500;
const POLL_INTERVAL_MS = 1_000;
/** How long the other tenant is measured before the upload. */
const ALONE_MS = 5_000;
/** Lets the processes come to rest before their idle memory is read. */
const REST_MS = 3_000;
/** Time for an import, per account and for any. */
const MAX_MS_PER_ACCOUNT = 20;
const MAX_FINISH_MS = 600_000;

const MEBIBYTE = 2 ** 20;

interface SubmissionView {
  id: string;
  status: string;
  finished_at: string | null;
  counts: Record<string, number>;
}

/** The parts of the measurement, in their order. */
const PHASES = ['upload', 'import after the upload', 'reconciliation', 'results'] as const;
type Phase = (typeof PHASES)[number];

interface PhaseResult {
  seconds: number;
  /** Peak memory in bytes. */
  api: number;
  worker: number;
  delays: Delays;
  /** Status reads of another tenant. */
  reads: Latencies;
}

interface SubmissionResult {
  file: SubmissionFile;
  phases: Record<Phase, PhaseResult>;
  /** From the first byte of the upload to the end of the last account. */
  finishedSeconds: number;
  idle: { api: number; worker: number; reads: Latencies };
  /** CPU time in ms per account until the end of the last account. */
  times: ProcessorTimes;
  /** Accounts of a batch. */
  batches: { count: number; min: number; median: number; max: number };
  /** Bytes on disk per account. */
  bytes: { database: number; lines: number; payloads: number };
  resultBytes: number;
}

/** One upload of a whole book, from its first byte to its reconciliation and its results. */
export const submission: Measure = {
  name: 'submission',
  title: 'A book that is uploaded in one request',
  async run(bench: Bench): Promise<Findings> {
    const result = await runSubmission(bench);
    const { file, phases, idle, finishedSeconds } = result;
    const count = (value: number) => Math.round(value).toLocaleString('en');
    const growth = Math.max(...PHASES.map((phase) => phases[phase].api)) - idle.api;
    const longest = Math.max(...PHASES.map((phase) => phases[phase].delays.max));
    return {
      rounds: 1,
      load:
        `${count(file.accounts)} accounts of ${count(file.bytes / file.accounts)} bytes on average, without documents, ` +
        `in one request with gzip (${formatFigure(file.packedBytes / MEBIBYTE)} MiB), after ${WARM_UP_ACCOUNTS} warm-up accounts. ` +
        `One API and one worker, queue in ${bench.servers.fasterBackend}. Another tenant reads a status every ${OtherTenant.INTERVAL_MS} ms.`,
      tables: [summaryTable(result), phaseTable(result)],
      goals: [
        { name: 'memory of the API above idle', measured: growth / MEBIBYTE, unit: 'MiB', atMost: 150 },
        { name: 'longest block of the event loop of the API', measured: longest, unit: 'ms', atMost: 50 },
        {
          ...{ name: 'reconciliation', measured: phases.reconciliation.seconds, unit: 's' },
          atMost: Math.max(1, file.accounts / 50_000),
        },
        { name: 'whole book', measured: file.accounts / finishedSeconds, unit: 'accounts/s', atLeast: 1_000 },
      ],
    };
  },
};

async function runSubmission(bench: Bench): Promise<SubmissionResult> {
  const { servers, accounts, log } = bench;
  log(`generating ${formatFigure(accounts)} accounts`);
  const directory = servers.directory;
  const file = await writeSubmissionFile(join(directory, 'book.ndjson.gz'), accounts, SUPPLIER);
  const warmUp = await writeSubmissionFile(join(directory, 'warm-up.gz'), WARM_UP_ACCOUNTS, SUPPLIER, 2);
  const installation = await servers.installation(servers.fasterBackend);
  try {
    const samples = join(directory, 'event-loop.ndjson');
    const running = await installation.start(portage, 0, {
      NODE_OPTIONS: `--require ${join(CHECKOUT, 'test', 'isolation', 'event-loop-probe.cjs')}`,
      EVENT_LOOP_SAMPLES: samples,
      // The token must outlast the import of a large book.
      TOKEN_LIFETIME_SECONDS: '43200',
    });
    await running.startWorkers(1, { NODE_OPTIONS: '' });
    const tenant = await OtherTenant.join(installation, running);
    await new SubmissionRun(installation, running, warmUp, tenant, samples).importAll('warm-up');
    await tenant.readFor(ALONE_MS);
    const measured = new SubmissionRun(installation, running, file, tenant, samples);
    return await measured.measure(log);
  } finally {
    await installation.close();
  }
}

/** A submission of one file. */
class SubmissionRun {
  private id = '';

  constructor(
    private readonly installation: Installation,
    private readonly running: RunningProgram,
    private readonly file: SubmissionFile,
    private readonly tenant: OtherTenant,
    /** The file of the event loop's samples. */
    private readonly samples: string,
  ) {}

  async importAll(reference: string): Promise<SubmissionView> {
    await this.open(reference);
    await this.upload();
    return this.finish();
  }

  async measure(log: (progress: string) => void): Promise<SubmissionResult> {
    const { accounts } = this.file;
    const [workerPid = NaN] = this.running.workerPids;
    const reads = await this.tenant.readFor(ALONE_MS);
    await sleep(REST_MS);
    const idle = { api: residentMemory(this.running.apiPid), worker: residentMemory(workerPid), reads };
    const before = await this.databaseBytes();
    const times = this.running.processorTimes();
    await this.open('book');
    const start = Date.now();
    const upload = await this.phase('upload', log, async () => this.upload());
    let finished: SubmissionView | undefined;
    const importing = await this.phase('import after the upload', log, async () => {
      finished = await this.finish();
    });
    const finishedSeconds = (Date.parse(finished?.finished_at ?? '') - start) / 1_000;
    const after = this.running.processorTimes();
    // The end is noticed up to a poll later.
    importing.seconds = Math.max(0, finishedSeconds - upload.seconds);
    const reconciliation = await this.phase('reconciliation', log, async () => this.reconcile());
    let resultBytes = 0;
    const results = await this.phase('results', log, async () => {
      resultBytes = await this.readResults();
    });
    await this.installation.sql('CHECKPOINT');
    const bytes = (await this.databaseBytes()) - before;
    return {
      ...{ file: this.file, finishedSeconds, idle, resultBytes },
      phases: { upload, 'import after the upload': importing, reconciliation, results },
      times: mapTimes(times, after, accounts),
      batches: await this.batches(),
      bytes: {
        database: bytes / accounts,
        lines: (await this.tableBytes('submission_line')) / accounts,
        payloads: (await this.tableBytes('import_process_payload')) / accounts,
      },
    };
  }

  private async phase(
    name: Phase,
    log: (progress: string) => void,
    work: () => Promise<void>,
  ): Promise<PhaseResult> {
    const [workerPid = NaN] = this.running.workerPids;
    const memory = { api: watchMemory(this.running.apiPid), worker: watchMemory(workerPid) };
    const from = Date.now();
    const start = performance.now();
    let seconds = 0;
    const working = work().finally(() => {
      seconds = (performance.now() - start) / 1_000;
    });
    try {
      const reads = await this.tenant.readUntil(working);
      await working;
      const to = Date.now();
      // The probe writes its samples twice a second.
      await sleep(1_000);
      log(`${name}: ${formatFigure(seconds)} s`);
      return {
        ...{ seconds, reads, api: memory.api.peak(), worker: memory.worker.peak() },
        delays: readDelays(this.samples, from, to),
      };
    } finally {
      memory.api.peak();
      memory.worker.peak();
    }
  }

  private async open(reference: string): Promise<void> {
    const expected = { accounts: this.file.accounts };
    const body = JSON.stringify({ import_supplier: SUPPLIER, reference, expected });
    const opened = await this.call<SubmissionView>('POST', SUBMISSIONS, body);
    this.id = opened.id;
  }

  /** Sends the file in one request, as fast as the API reads it. */
  private async upload(): Promise<void> {
    const result = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const request = httpRequest(
        `${this.running.baseUrl}${SUBMISSIONS}${this.id}/accounts/`,
        {
          method: 'POST',
          headers: {
            ...this.running.authorization,
            'content-type': 'application/x-ndjson',
            'content-encoding': 'gzip',
          },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('error', reject);
          response.on('end', () => {
            resolve({ status: response.statusCode, text });
          });
        },
      );
      request.on('error', reject);
      pipeline(readSubmissionFile(this.file), request).catch(reject);
    });
    const { accepted } = (result.status === 200 ? JSON.parse(result.text) : {}) as { accepted?: number };
    if (accepted !== this.file.accounts)
      throw new Error(`The upload was answered with ${result.status}: ${result.text}`);
  }

  /** Completes the submission, and waits until every account has ended. */
  private async finish(): Promise<SubmissionView> {
    const { accounts } = this.file;
    const deadline = Date.now() + MAX_FINISH_MS + accounts * MAX_MS_PER_ACCOUNT;
    let view = await this.call<SubmissionView>('POST', `${SUBMISSIONS}${this.id}/complete/`);
    while (view.status !== 'FINISHED' && Date.now() < deadline) {
      await sleep(POLL_INTERVAL_MS);
      view = await this.call<SubmissionView>('GET', `${SUBMISSIONS}${this.id}/`);
    }
    if (view.status !== 'FINISHED' || view.counts['processed'] !== accounts)
      throw new Error(`Expected ${accounts} processed accounts, found ${JSON.stringify(view)}.`);
    return view;
  }

  private async reconcile(): Promise<void> {
    const path = `${SUBMISSIONS}${this.id}/reconciliation/`;
    const reconciliation = await this.call<{ reconciled: boolean }>('GET', path);
    if (!reconciliation.reconciled) throw new Error(`Not reconciled: ${JSON.stringify(reconciliation)}`);
  }

  /** Reads the results to a file that is dropped. @returns their bytes */
  private async readResults(): Promise<number> {
    const response = await fetch(`${this.running.baseUrl}${SUBMISSIONS}${this.id}/results/`, {
      headers: { ...this.running.authorization, accept: 'application/x-ndjson' },
    });
    let bytes = 0;
    let lines = 0;
    const counter = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
        done();
      },
    });
    if (response.body) await pipeline(response.body, counter);
    if (response.status !== 200 || lines !== this.file.accounts)
      throw new Error(`The results were answered with ${response.status} and ${lines} lines.`);
    return bytes;
  }

  private async batches(): Promise<SubmissionResult['batches']> {
    const [batches] = await this.installation.sql<SubmissionResult['batches']>(
      `SELECT count(*)::int AS count, min(size)::int AS min, max(size)::int AS max,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY size)::int AS median
       FROM (SELECT count(*) AS size FROM import_process WHERE submission_id = $1 GROUP BY batch_id) AS batch`,
      [this.id],
    );
    return batches ?? { count: 0, min: 0, median: 0, max: 0 };
  }

  private async databaseBytes(): Promise<number> {
    const [row] = await this.installation.sql<{ bytes: string }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    return Number(row?.bytes);
  }

  private async tableBytes(table: string): Promise<number> {
    const [row] = await this.installation.sql<{ bytes: string }>(
      'SELECT pg_total_relation_size($1::regclass) AS bytes',
      [table],
    );
    return Number(row?.bytes);
  }

  /** @throws Error unless the answer is 200 or 201 */
  private async call<Body>(method: 'GET' | 'POST', path: string, body?: string): Promise<Body> {
    const response = await fetch(`${this.running.baseUrl}${path}`, {
      method,
      headers: {
        ...this.running.authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text) as Body;
  }
}

function mapTimes(before: ProcessorTimes, after: ProcessorTimes, accounts: number): ProcessorTimes {
  const each = (part: keyof ProcessorTimes) => (after[part] - before[part]) / accounts;
  return {
    ...{ api: each('api'), worker: each('worker'), postgres: each('postgres') },
    ...{ redis: each('redis'), load: each('load') },
  };
}

function summaryTable({
  file,
  phases,
  finishedSeconds,
  times,
  batches,
  bytes,
  resultBytes,
}: SubmissionResult): Table {
  const { accounts } = file;
  const { upload, reconciliation, results } = phases;
  const perSecond = (seconds: number) => formatFigure(accounts / seconds);
  return {
    columns: ['', 'measured'],
    rows: [
      ['until the upload is answered', `${formatFigure(upload.seconds)} s`],
      ['accounts stored', `${perSecond(upload.seconds)} accounts/s`],
      ['until every account has ended', `${formatFigure(finishedSeconds)} s`],
      ['whole book', `${perSecond(finishedSeconds)} accounts/s`],
      ['reconciliation', `${formatFigure(reconciliation.seconds)} s`],
      [
        'results, read completely',
        `${formatFigure(results.seconds)} s, ${formatFigure(resultBytes / MEBIBYTE)} MiB`,
      ],
      [
        'CPU time an account',
        `API ${formatFigure(times.api)} ms, worker ${formatFigure(times.worker)} ms, PostgreSQL ${formatFigure(times.postgres)} ms, Redis ${formatFigure(times.redis)} ms`,
      ],
      [
        'accounts of a batch',
        `${batches.median} (${batches.min} to ${batches.max}) in ${batches.count.toLocaleString('en')} batches`,
      ],
      [
        'bytes on disk an account',
        `${formatFigure(bytes.database)}; of these ${formatFigure(bytes.payloads)} in import_process_payload and ${formatFigure(bytes.lines)} in submission_line`,
      ],
    ],
  };
}

function phaseTable({ phases, idle }: SubmissionResult): Table {
  const megabytes = (bytes: number) => formatFigure(bytes / MEBIBYTE);
  const above = (peak: number, rest: number) => `${megabytes(peak)} (${megabytes(peak - rest)} above idle)`;
  const reads = ({ p50, p99, max }: Latencies) => [p50, p99, max].map(formatFigure).join(', ');
  return {
    caption:
      'Peak memory, delays of the event loop of the API that it caused itself (CPU time; in brackets by the clock of a busy machine), and status reads of another tenant',
    columns: [
      ...['', 's', 'API, MiB', 'worker, MiB', 'event loop p99.9, ms', 'longest, ms'],
      'reads: median, p99, max (ms)',
    ],
    rows: [
      ['idle', '', megabytes(idle.api), megabytes(idle.worker), '', '', reads(idle.reads)],
      ...PHASES.map((name) => {
        const { seconds, api, worker, delays, reads: measured } = phases[name];
        return [
          ...[name, formatFigure(seconds), above(api, idle.api), above(worker, idle.worker)],
          `${formatFigure(delays.p999)} (${formatFigure(delays.p999ByClock)})`,
          `${formatFigure(delays.max)} (${formatFigure(delays.maxByClock)})`,
          reads(measured),
        ];
      }),
    ],
  };
}
