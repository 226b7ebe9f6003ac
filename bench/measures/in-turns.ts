import type { Bench } from './measure';

export interface Turn<Result> {
  readonly name: string;
  run(): Promise<Result>;
  /** The figure to look at, for whoever waits. */
  tell(result: Result): string;
}

/**
 * Lets contenders take turns, each once a round, so that a machine that becomes slower does so for all of them. Every
 * round begins with another one.
 *
 * @returns the results of each contender, in the order of the rounds
 */
export async function inTurns<Result>(
  bench: Pick<Bench, 'rounds' | 'say'>,
  turns: readonly Turn<Result>[],
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>(turns.map(({ name }) => [name, []]));
  for (let round = 0; round < bench.rounds; round += 1) {
    for (let nth = 0; nth < turns.length; nth += 1) {
      const turn = turns[(round + nth) % turns.length];
      if (!turn) continue;
      const result = await turn.run();
      results.get(turn.name)?.push(result);
      bench.say(`round ${round + 1} of ${bench.rounds}: ${turn.name}: ${turn.tell(result)}`);
    }
  }
  return results;
}
