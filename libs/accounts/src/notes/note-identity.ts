/** A note of a request. */
export interface PostedNote {
  readonly body?: string | null;
  /** The paths in their stored form. */
  readonly documentPaths?: readonly string[] | null;
  readonly createdAt?: Date | null;
  /** The identifier that the supplier has given it. */
  readonly externalId?: string | null;
}

/** A stored note of an account. */
export interface StoredNote extends PostedNote {
  readonly createdAt: Date;
}

/** The result for a posted note (contract, "Note"), with its stored creation time. */
export interface NoteResult {
  readonly status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
  readonly createdAt: Date;
}

/**
 * The identity of a note without its time: the exact body, or for a note without a body the set of its document paths.
 * The contract does not define the second case. Without it all notes without a body would be the same note.
 */
export function noteKey({ body, documentPaths }: PostedNote): string {
  if (body && body.trim() !== '') return `body ${body}`;
  return `documents ${JSON.stringify([...new Set(documentPaths)].sort())}`;
}

/**
 * Decides for each note of a request whether it is created or exists already, in the order of the request (contract,
 * "Add notes"). A note with an external_id exists if a note with the same external_id exists, whatever else it has. Of the others, a
 * note with a created_at exists if a note with the same key and the same created_at exists. A note
 * without a created_at exists if any note with the same key exists; the result has the created_at of the earliest one.
 * A note that occurs twice in a request is created once.
 *
 * Times are compared in whole seconds, the precision of datetimes in requests and responses, so a client can send back
 * the created_at of a response.
 *
 * @param now created_at of the notes without one
 */
export function noteResults(
  posted: readonly PostedNote[],
  existing: Iterable<StoredNote>,
  now: Date,
): NoteResult[] {
  const earliestByKey = new Map<string, Date>();
  const add = (note: PostedNote, createdAt: Date) => {
    const keys = [noteKey(note), keyWithTime(note, createdAt)];
    if (note.externalId) keys.push(keyOfId(note.externalId));
    for (const key of keys) {
      const earliest = earliestByKey.get(key);
      if (!earliest || createdAt < earliest) earliestByKey.set(key, createdAt);
    }
  };
  for (const note of existing) add(note, note.createdAt);

  return posted.map((note) => {
    const same = earliestByKey.get(identityOf(note));
    if (same) return { status: 'NOTE_ALREADY_EXISTS', createdAt: same };
    const createdAt = note.createdAt ?? now;
    add(note, createdAt);
    return { status: 'NOTE_CREATION_SUCCESS', createdAt };
  });
}

function identityOf(note: PostedNote): string {
  if (note.externalId) return keyOfId(note.externalId);
  return note.createdAt ? keyWithTime(note, note.createdAt) : noteKey(note);
}

function keyOfId(externalId: string): string {
  return `id ${externalId}`;
}

function keyWithTime(note: PostedNote, createdAt: Date): string {
  return `${Math.floor(createdAt.getTime() / 1_000)} ${noteKey(note)}`;
}
