import { importQueue } from '../yardsticks/import-queue';
import { batched, portage, type Program, stock, straight } from '../environment/program';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { describeLoad, type Load, createLoad, postBook, warmUp } from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Measure } from './measure';

const PROGRAMS = [portage, straight, batched, stock];

export const drain: Measure = {
  name: 'drain',
  title: 'The worker alone: accounts per second from a full queue',
  async run(bench: Bench): Promise<Findings> {
    const load = createLoad(bench.accounts);
    const turns = PROGRAMS.map((program) => ({
      name: program.name,
      run: async () => measureDrain(bench, program, load),
      summarize: (rate: number) => `${formatFigure(rate)} accounts/s`,
    }));
    const rates = await interleave(bench, turns);
    const of = ({ name }: Program) => rates.get(name) ?? [];
    const ratio = (program: Program) => median(of(portage)) / median(of(program));
    return {
      load: `${describeLoad(load)}; the queue is paused during the POSTs. Queue in ${bench.servers.fasterBackend}, one worker.`,
      tables: [
        {
          columns: ['', 'accounts/s', 'ratio of Portage to it'],
          rows: PROGRAMS.map((program) => [
            program.name,
            formatFigures(of(program)),
            program === portage ? '' : formatFigure(ratio(program)),
          ]),
        },
      ],
      goals: [{ name: 'against straight', measured: ratio(straight), atLeast: 1.6 }],
    };
  },
};

async function measureDrain(bench: Bench, program: Program, load: Load): Promise<number> {
  const installation = await bench.servers.installation(bench.servers.fasterBackend);
  const { databaseUrl, redisUrl } = installation;
  const queue = importQueue({ databaseUrl, redisUrl });
  try {
    const running = await installation.start(program, 1);
    const before = await warmUp(installation, running, load.warmUp);
    await queue.pause();
    await postBook(running, load.book);
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
