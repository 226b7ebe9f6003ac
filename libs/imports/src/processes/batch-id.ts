import { randomBytes } from 'node:crypto';

/** A positive bigint that no other batch has. The job of the batch is named by it. */
export function newBatchId(): string {
  return (randomBytes(8).readBigUInt64BE() >> 1n).toString();
}
