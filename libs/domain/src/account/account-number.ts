import { createHmac } from 'node:crypto';

/** Largest sequence value that has an account number. */
export const LAST_ACCOUNT_SEQUENCE = 0xffff_ffff;

const ROUNDS = 6;

/**
 * The account number of a sequence value: `A-` and 8 hex digits.
 *
 * A keyed Feistel network permutes the 2^32 values, so two sequence values never share a number and no retry is
 * needed, while who sees some numbers cannot tell which come next.
 *
 * @param sequence 0 to {@link LAST_ACCOUNT_SEQUENCE}
 * @param key the installation's secret
 * @throws RangeError when the sequence is used up
 */
export function accountNumber(sequence: number, key: Buffer): string {
  if (!Number.isInteger(sequence) || sequence < 0 || sequence > LAST_ACCOUNT_SEQUENCE)
    throw new RangeError(`There is no account number for sequence value ${sequence}.`);
  let left = sequence >>> 16;
  let right = sequence & 0xffff;
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixed = createHmac('sha256', key)
      .update(Uint8Array.of(round, right >>> 8, right & 0xff))
      .digest()
      .readUInt16BE(0);
    [left, right] = [right, left ^ mixed];
  }
  const hex = (half: number) => half.toString(16).padStart(4, '0');
  return `A-${hex(left)}${hex(right)}`;
}
