import { type Clock } from '../clock';
import { type Progress } from './progress';
import { type StopRequest } from './stop-request';

/** What a run needs of its surroundings. */
export interface Surroundings {
  stop: StopRequest;
  progress: Progress;
  progressEveryMs: number;
  clock: Clock;
  random: () => number;
}
