import { createHmac, type KeyObject } from 'node:crypto';

/** Maximum sequence value that has an account number. */
export const MAX_ACCOUNT_SEQUENCE = 0xffff_ffff;

const FEISTEL_ROUNDS = 6;

/**
 * Derives the account number of a sequence value: `A-` and 8 hex digits.
 *
 * A keyed Feistel network permutes the 2^32 values. Two sequence values therefore never have the same number, and no
 * retry is needed. Known numbers do not reveal the next ones.
 *
 * @param sequence 0 to {@link MAX_ACCOUNT_SEQUENCE}
 * @param key the secret of the installation
 * @throws RangeError for a sequence value outside this range
 */
export function accountNumberOf(sequence: number, key: KeyObject): string {
  if (!Number.isInteger(sequence) || sequence < 0 || sequence > MAX_ACCOUNT_SEQUENCE)
    throw new RangeError(`There is no account number for sequence value ${sequence}.`);
  let left = sequence >>> 16;
  let right = sequence & 0xffff;
  for (let round = 0; round < FEISTEL_ROUNDS; round += 1) {
    const mixed = createHmac('sha256', key)
      .update(Uint8Array.of(round, right >>> 8, right & 0xff))
      .digest()
      .readUInt16BE(0);
    [left, right] = [right, left ^ mixed];
  }
  const hex = (half: number) => half.toString(16).padStart(4, '0');
  return `A-${hex(left)}${hex(right)}`;
}
