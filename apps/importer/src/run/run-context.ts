import type { Clock } from '@portage/client';
import type { Progress } from './progress';
import type { StopRequest } from './stop-request';

/** The dependencies of a run. */
export interface RunContext {
  stop: StopRequest;
  progress: Progress;
  progressEveryMs: number;
  clock: Clock;
  random: () => number;
  /** Standard input, if it is not that of the process. */
  standardInput?: NodeJS.ReadableStream;
}
