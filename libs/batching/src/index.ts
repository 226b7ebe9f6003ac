export { Batcher, type BatchLimits } from './batcher';
