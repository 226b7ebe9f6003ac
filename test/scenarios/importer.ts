import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setInterval, setTimeout as sleep } from 'node:timers/promises';
import { builtProgram, until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { runningWorkers } from './strikes';

/** As `npm run import-book` limits it, so that V8 collects garbage before the heap is several times what is used. */
const HEAP_LIMIT = '--max-old-space-size=1024';

const SAMPLE_MS = 500;

interface ImporterRun {
  readonly elapsed: number;
  /** Peak memory in MiB. */
  readonly peak: number;
  /** The end of what it has printed. */
  readonly printed: string;
  readonly wasKilled: boolean;
}

/** An importer that runs. */
interface Importer {
  /** @throws Error if it ends by itself with another status than 0 */
  readonly ended: Promise<ImporterRun>;
  kill(): void;
}

/** @param args without the address of the API */
export function startImporter({ baseUrl, apiKey }: Installation, args: readonly string[]): Importer {
  const command = [HEAP_LIMIT, builtProgram('importer'), ...args, '--base-url', baseUrl];
  const importer = spawn(process.execPath, command, {
    env: { PATH: process.env['PATH'], PORTAGE_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { ended: follow(importer), kill: () => void importer.kill('SIGKILL') };
}

async function follow(importer: ChildProcessByStdio<null, Readable, Readable>): Promise<ImporterRun> {
  const start = performance.now();
  let printed = '';
  for (const stream of [importer.stdout, importer.stderr])
    stream.on('data', (bytes: Buffer) => (printed = `${printed}${bytes.toString()}`.slice(-3_000)));
  let peak = NaN;
  const ended = new AbortController();
  const watching = (async () => {
    for await (const _ of setInterval(SAMPLE_MS, undefined, { signal: ended.signal }))
      peak = (await peakOf(importer.pid!)) ?? peak;
  })().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  const [status, signal] = (await once(importer, 'close')) as [number | null, NodeJS.Signals | null];
  ended.abort();
  await watching;
  if (status !== 0 && signal !== 'SIGKILL')
    throw new Error(`The importer has ended with ${signal ?? status}: ${printed}`);
  return { elapsed: performance.now() - start, peak, printed, wasKilled: signal === 'SIGKILL' };
}

/** An importer that is started again with the same command each time it is killed. */
export class LastingImporter {
  private current: Importer;
  kills = 0;
  /** The run that came to its end. */
  readonly ended: Promise<ImporterRun>;

  constructor(installation: Installation, args: readonly string[]) {
    this.current = startImporter(installation, args);
    this.ended = (async () => {
      for (;;) {
        const run = await this.current.ended;
        if (!run.wasKilled) return run;
        this.kills += 1;
        this.current = startImporter(installation, args);
      }
    })();
  }

  kill(): void {
    this.current.kill();
  }
}

/**
 * Kills the importer and a worker, or each `apiEvery`th time the API instead, while rows of `waiting` wait: a FROM and what
 * follows it.
 *
 * @returns how often
 */
export async function killInTurns(
  installation: Installation,
  importer: LastingImporter,
  waiting: string,
  { kills, apiEvery, pauseMs, timeoutMs }: Record<'kills' | 'apiEvery' | 'pauseMs' | 'timeoutMs', number>,
): Promise<number> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await until(
      async () => (await installation.countRows(waiting)) > 0,
      'nothing waits: all had ended before the kills did',
      timeoutMs,
    );
    importer.kill();
    if (kill % apiEvery === 0) {
      await installation.kill(installation.api!);
      await installation.startApi();
    } else {
      await installation.kill(runningWorkers(installation)[0]!);
      await installation.startWorker();
    }
    await sleep(pauseMs);
  }
  return kills;
}

/** Writes a book into the folder of the installation. @returns its path */
export async function writeBook(
  { directory }: Installation,
  name: string,
  lines: readonly object[],
): Promise<string> {
  const path = join(directory, `${name}.ndjson`);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** The counts of the submission with a reference, and whether it is reconciled. */
export async function readSubmission(
  installation: Installation,
  reference: string,
): Promise<{ counts: unknown; reconciled: unknown }> {
  const submissions = '/v2/data-import/submissions/';
  const list = await installation.get(
    `${submissions}?supplier=${installation.supplier}&reference=${reference}`,
  );
  const [{ id }] = list.body as [{ id: string }];
  const submission = await installation.get(`${submissions}${id}/`);
  const reconciliation = await installation.get(`${submissions}${id}/reconciliation/`);
  return { counts: submission.body.counts, reconciled: reconciliation.body.reconciled };
}

/** The peak memory of a process in MiB; undefined once it has ended. */
export async function peakOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return peak === undefined ? undefined : Number(peak) / 1024;
}
