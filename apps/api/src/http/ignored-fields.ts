import { suggestField } from '@portage/account-schema';
import type { FastifyReply } from 'fastify';

const MAX_HEADER_LENGTH = 4_000;

/** Ignored fields for which a documented name is looked for. It bounds the time that a hostile body can take. */
const MAX_SUGGESTIONS = 100;

/** A class of the contract. */
type BodyType = Parameters<typeof suggestField>[1];

/**
 * Lists undocumented fields in the header `Ignored-Fields`, percent-encoded, up to 4,000 characters. Where a documented
 * name is near, the header `Ignored-Fields-Suggestions` has `path=name`.
 *
 * @param body the class of the body
 */
export function setIgnoredFieldsHeader(reply: FastifyReply, paths: readonly string[], body: BodyType): void {
  if (paths.length === 0) return;
  void reply.header('Ignored-Fields', joinWithin(paths.map(encodeName), MAX_HEADER_LENGTH));
  const suggestions = paths.slice(0, MAX_SUGGESTIONS).flatMap((path) => {
    const name = suggestField(path, body);
    return name === undefined ? [] : [`${encodeName(path)}=${name}`];
  });
  if (suggestions.length > 0)
    void reply.header('Ignored-Fields-Suggestions', joinWithin(suggestions, MAX_HEADER_LENGTH));
}

/** A name as a header can have it, whatever its characters are. */
export function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

/** Joins the entries of a header. A list over `maxLength` is cut and ends with `...`. */
export function joinWithin(entries: readonly string[], maxLength: number): string {
  let header = '';
  for (const entry of entries) {
    if (header.length + entry.length + 5 > maxLength) return header === '' ? '...' : `${header}, ...`;
    header += header === '' ? entry : `, ${entry}`;
  }
  return header;
}
