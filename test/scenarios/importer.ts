import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import { builtProgram } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';

const SAMPLE_MS = 500;

export interface ImporterRun {
  readonly elapsed: number;
  /** Peak memory in MiB. */
  readonly peak: number;
  /** The end of what it has printed. */
  readonly printed: string;
}

/**
 * Runs the importer to its end.
 *
 * @param isDue is asked now and then; the importer is killed once it is true
 * @throws Error if it ends with another status than 0, or if it ends before it was killed
 */
export async function runImporter(
  { baseUrl, apiKey }: Installation,
  args: readonly string[],
  isDue?: () => Promise<boolean>,
): Promise<ImporterRun> {
  const start = performance.now();
  const importer = spawn(process.execPath, [builtProgram('importer'), ...args, '--base-url', baseUrl], {
    env: { PATH: process.env['PATH'], PORTAGE_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [importer.stdout, importer.stderr])
    stream.on('data', (bytes: Buffer) => (printed = `${printed}${bytes.toString()}`.slice(-3_000)));
  let peak = NaN;
  const ended = new AbortController();
  const watching = (async () => {
    for await (const _ of setInterval(SAMPLE_MS, undefined, { signal: ended.signal })) {
      peak = (await peakOf(importer.pid!)) ?? peak;
      if ((await isDue?.()) === true) importer.kill('SIGKILL');
    }
  })().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  const [status, signal] = (await once(importer, 'close')) as [number | null, NodeJS.Signals | null];
  ended.abort();
  await watching;
  const isAsExpected = isDue ? signal === 'SIGKILL' : status === 0;
  if (!isAsExpected) throw new Error(`The importer has ended with ${signal ?? status}: ${printed}`);
  return { elapsed: performance.now() - start, peak, printed };
}

/** The peak memory of a process in MiB; undefined once it has ended. */
export async function peakOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return peak === undefined ? undefined : Number(peak) / 1024;
}
