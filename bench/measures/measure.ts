import type { TestedBackend } from '@portage/testing/backends';

/** A comparison of contenders that run in turn. The figures of a single contender depend on the machine. */
export interface Measure {
  /** The argument on the command line: `npm run bench -- end-to-end`. */
  readonly name: string;
  /** What it measures, in one line. */
  readonly title: string;
  /** Minutes with the default options on an idle machine with two cores. */
  readonly minutes: number;
  run(bench: Bench): Promise<Findings>;
}

/** The options of a measure. */
export interface Bench {
  /** The queue backends of this machine, the faster one first. */
  readonly backends: readonly [TestedBackend, ...TestedBackend[]];
  readonly rounds: number;
  readonly accounts: number;
  /** Number of accounts that exist before the imports that measure growth. */
  readonly stored: number;
  /** True for a minimal run that only checks that the measure works. */
  readonly isQuick: boolean;
  /** Prints the progress. */
  readonly log: (progress: string) => void;
}

export interface Findings {
  /** Describes the load, so that the measurement can be repeated. */
  readonly load: string;
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
  /** Number of rounds if it differs from the option. */
  readonly rounds?: number;
}

export interface Table {
  readonly caption?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A goal and the measured value. The goal is met if the value is on the right side of the limit. */
export type Goal = {
  readonly name: string;
  readonly measured: number;
  readonly unit?: string;
} & ({ readonly atLeast: number } | { readonly atMost: number });
