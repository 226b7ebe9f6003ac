export { Batcher, type BatchLimits } from './batcher';
export { CohortScheduler } from './cohort-scheduler';
export { Semaphore } from './semaphore';
