import type { TestedBackend } from '@portage/testing';
import type { Installation, InstallationNeeds } from '@portage/testing/installation';

/** What a run has measured: the cells of its row in a table of docs, by column. */
export type Figures = Readonly<Record<string, string | number>>;

/** One run of a scenario. */
export interface ScenarioRun {
  /** Where the queues are. */
  readonly backend: TestedBackend;
  /** `short` is the form of `npm test`. */
  readonly size: 'short' | 'full';
  /** Decides what is random, so that `--seed` repeats a run. */
  readonly random: () => number;
  /** Writes a line of progress. */
  say(text: string): void;
  /** Starts an installation, which is stopped at the end of the run, however it ends. */
  install(needs: Omit<InstallationNeeds, 'backend'>): Promise<Installation>;
  /** Calls `stop` at the end of the run, however it ends: the last one first. */
  atEnd(stop: () => Promise<void> | void): void;
}

/**
 * What runs, what strikes, when, and what must hold. A file in a folder of test/scenarios has one as its default export, or
 * several by their names. The folder is the family.
 */
export interface Scenario {
  /** A statement about the product, and the first column of its table. */
  title: string;
  /** What a run takes on one queue backend of a machine without other work. */
  minutes: number;
  /** Default: both. */
  backends?: readonly TestedBackend[];
  /** Set if `npm test` runs a short form: true, or the backends on which it does; on another one, if none of them is tested. */
  isShort?: true | readonly TestedBackend[];
  /** The table of docs that gets the figures, if it is not that of the family. */
  table?: string;
  /** The page of the table. Default: reliability.md. */
  page?: string;
  /** @returns the reason why this machine cannot run it */
  missing?: () => string | undefined;
  /** Fails if a promise was broken. @returns one row of the table, or several that name themselves in two columns */
  run(run: ScenarioRun): Promise<Figures | readonly Figures[] | undefined>;
}

export const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
