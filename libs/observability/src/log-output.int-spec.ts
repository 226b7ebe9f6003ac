import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const OBSERVABILITY = join(__dirname, '../../../dist/libs/observability/src');

/** What a process that logs so writes: each write with the messages of its lines. */
async function writes(program: string, maxDelayMs: number): Promise<string[][]> {
  const code = `
    const { Logger } = require(${JSON.stringify(OBSERVABILITY)});
    const log = new Logger({ LOG_LEVEL: 'info' }, { maxDelayMs: ${maxDelayMs} });
    const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    (async () => { ${program} })();`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  await once(child, 'close');
  return chunks.map((chunk) =>
    chunk
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg),
  );
}

const SECONDS_10 = 10_000;

it('lines wait to be written together, and no longer than they may', async () => {
  expect(await writes(`log.info('a'); log.info('b'); await pause(600); log.info('c')`, 100)).toEqual([
    ['a', 'b'],
    ['c'],
  ]);
});

it('a warning or a failure does not wait, and takes along what came before', async () => {
  const program = `
    log.info('a'); log.warning('b'); await pause(300);
    log.info('c'); log.failure('d'); await pause(300); log.info('e')`;
  expect(await writes(program, SECONDS_10)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  const framework = `
    log.log('a'); log.warn('b'); await pause(300);
    log.log('c'); log.error('d'); await pause(300); log.log('e')`;
  expect(await writes(framework, SECONDS_10)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

it('what waits when the process ends, in whatever way it does, is written', async () => {
  expect(await writes(`log.info('a'); process.exit(1)`, SECONDS_10)).toEqual([['a']]);
  expect((await writes(`log.info('a'); log.info('b')`, SECONDS_10)).flat()).toEqual(['a', 'b']);
});

it('with no delay each line is written at once', async () => {
  expect(await writes(`log.info('a'); await pause(300); log.info('b')`, 0)).toEqual([['a'], ['b']]);
});
