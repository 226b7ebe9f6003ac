import type { Bench } from './measure';

export interface Turn<Result> {
  readonly name: string;
  run(): Promise<Result>;
  /** Formats the main figure of a result for the progress output. */
  summarize(result: Result): string;
}

/**
 * Runs the contenders in turn, each once per round, so that a machine that becomes slower affects all of them. Each
 * round starts with a different contender.
 *
 * @returns the results of each contender, in the order of the rounds
 */
export async function interleave<Result>(
  bench: Pick<Bench, 'rounds' | 'log'>,
  turns: readonly Turn<Result>[],
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>(turns.map(({ name }) => [name, []]));
  for (let round = 0; round < bench.rounds; round += 1) {
    for (let nth = 0; nth < turns.length; nth += 1) {
      const turn = turns[(round + nth) % turns.length];
      if (!turn) continue;
      const result = await turn.run();
      results.get(turn.name)?.push(result);
      bench.log(`round ${round + 1} of ${bench.rounds}: ${turn.name}: ${turn.summarize(result)}`);
    }
  }
  return results;
}
