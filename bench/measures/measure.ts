import type { Servers } from '../environment/servers';

/** What is compared in turns, in one run; the figures of a single contender say little about another machine. */
export interface Measure {
  /** As it is asked for: `npm run bench -- end-to-end`. */
  readonly name: string;
  /** What it finds out, in one line. */
  readonly title: string;
  run(bench: Bench): Promise<Findings>;
}

/** What a measure works with. */
export interface Bench {
  readonly servers: Servers;
  readonly rounds: number;
  readonly accounts: number;
  /** How many accounts are there before the import, at most. */
  readonly stored: number;
  /** Only to see that it works: as little as possible of everything. */
  readonly isQuick: boolean;
  /** Tells whoever waits how far it is. */
  readonly say: (progress: string) => void;
}

export interface Findings {
  /** What was done, so that somebody can do it again. */
  readonly load: string;
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
  /** Where it needs more than others, or fewer. */
  readonly rounds?: number;
}

export interface Table {
  readonly caption?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A goal, and what was found: met when `found` is on the right side of the limit. */
export type Goal = {
  readonly what: string;
  readonly found: number;
  readonly unit?: string;
  /** What profiles have shown to stand between the program and the goal: told where it is missed. */
  readonly inTheWay?: string;
} & ({ readonly atLeast: number } | { readonly atMost: number });
