export { Batches, type BatchLimits } from './batches';
