import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const LOGGER = join(__dirname, '../../../../dist/libs/platform/src/observability/logger');

/** Runs a program that logs, and returns the messages of each of its writes. `written` waits for the next one. */
async function writesOf(program: string, maxDelayMs: number): Promise<string[][]> {
  const code = `
    const { Logger } = require(${JSON.stringify(LOGGER)});
    const log = new Logger({ LOG_LEVEL: 'info' }, { maxDelayMs: ${maxDelayMs} });
    const written = () => new Promise((done) => process.stdin.once('data', done));
    (async () => { ${program} })().finally(() => process.stdin.destroy());`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk.toString());
    child.stdin.write('written');
  });
  await once(child, 'close');
  return chunks.map((chunk) =>
    chunk
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg),
  );
}

/** Longer than a case may take. */
const LONG_DELAY_MS = 600_000;

it('lines are buffered and written together within the maximum delay', async () => {
  expect(await writesOf(`log.log('a'); log.log('b'); await written(); log.log('c')`, 100)).toEqual([
    ['a', 'b'],
    ['c'],
  ]);
});

it('a warning or a failure is written at once, together with the lines before it', async () => {
  const program = `
    log.log('a'); log.warn('b'); await written();
    log.log('c'); log.error('d'); await written(); log.log('e')`;
  expect(await writesOf(program, LONG_DELAY_MS)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  const framework = `
    log.log('a'); log.warn('b'); await written();
    log.log('c'); log.error('d'); await written(); log.log('e')`;
  expect(await writesOf(framework, LONG_DELAY_MS)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

it('buffered lines are written when the process ends or exits', async () => {
  expect(await writesOf(`log.log('a'); process.exit(1)`, LONG_DELAY_MS)).toEqual([['a']]);
  expect((await writesOf(`log.log('a'); log.log('b')`, LONG_DELAY_MS)).flat()).toEqual(['a', 'b']);
});

it('each line is written at once without a delay', async () => {
  expect(await writesOf(`log.log('a'); await written(); log.log('b')`, 0)).toEqual([['a'], ['b']]);
});
