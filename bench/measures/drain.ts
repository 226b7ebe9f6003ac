import { importQueue } from '../yardsticks/import-queue';
import { batched, portage, type Program, stock, straight } from '../environment/program';
import { figure, figures } from '../results';
import { median } from '../statistics';
import { described, type Load, loadOf, post, warmUp } from './book-import';
import { inTurns } from './in-turns';
import type { Bench, Findings, Measure } from './measure';

const PROGRAMS = [portage, straight, batched, stock];

export const drain: Measure = {
  name: 'drain',
  title: 'The worker alone: accounts a second while everything is queued already',
  async run(bench: Bench): Promise<Findings> {
    const load = loadOf(bench.accounts);
    const turns = PROGRAMS.map((program) => ({
      name: program.name,
      run: async () => drained(bench, program, load),
      tell: (rate: number) => `${figure(rate)} accounts/s`,
    }));
    const rates = await inTurns(bench, turns);
    const of = ({ name }: Program) => rates.get(name) ?? [];
    const ratio = (program: Program) => median(of(portage)) / median(of(program));
    return {
      load: `${described(load)}; the queue is paused while they are posted. Queue in ${bench.servers.fasterBackend}, one worker.`,
      tables: [
        {
          columns: ['', 'accounts/s', 'Portage against it'],
          rows: PROGRAMS.map((program) => [
            program.name,
            figures(of(program)),
            program === portage ? '' : figure(ratio(program)),
          ]),
        },
      ],
      goals: [{ what: 'against straight', found: ratio(straight), atLeast: 1.6 }],
    };
  },
};

async function drained(bench: Bench, program: Program, load: Load): Promise<number> {
  const installation = await bench.servers.installation(bench.servers.fasterBackend);
  const { databaseUrl, redisUrl } = installation;
  const queue = importQueue({ databaseUrl, redisUrl });
  try {
    const running = await installation.start(program, 1);
    const before = await warmUp(installation, running, load.warmUp);
    await queue.pause();
    await post(running, load.book);
    const accounts = load.book.payloads.length;
    const start = performance.now();
    await queue.resume();
    await installation.allProcessed(before + accounts);
    return (accounts * 1_000) / (performance.now() - start);
  } finally {
    await queue.close();
    await installation.close();
  }
}
