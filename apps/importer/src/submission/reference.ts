import { basename } from 'node:path';
import { normalizeIdentifier, replaceInvisible } from '@portage/text';

/** Characters of the longest reference. */
const MAX_LENGTH = 128;

const DIGEST_LENGTH = 12;

/** The reference of a submission that was given none: the name of the file, and what identifies its content. */
export function defaultReference(path: string, digest: string, suffix = ''): string {
  const characters = Array.from(normalizeIdentifier(replaceInvisible(basename(path), '_')));
  const name = characters.slice(0, MAX_LENGTH - DIGEST_LENGTH - 1 - suffix.length);
  return `${name.join('')}-${digest.slice(0, DIGEST_LENGTH)}${suffix}`;
}

/** The reference of the plan of a submission. Each plan is a submission of its own: an earlier one may not hold any more. */
export function planReference(reference: string, now: number): string {
  const suffix = `-plan-${new Date(now).toISOString().slice(0, 19)}`;
  return (
    Array.from(reference)
      .slice(0, MAX_LENGTH - suffix.length)
      .join('') + suffix
  );
}
