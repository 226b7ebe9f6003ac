export { Batches, type BatchLimits } from './batches';
export { Groups } from './groups';
