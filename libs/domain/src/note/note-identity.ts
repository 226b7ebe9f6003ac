/** A note as a request has it. */
export interface PostedNote {
  readonly body?: string | null;
  /** In the form in which they are stored. */
  readonly documentPaths?: readonly string[] | null;
  readonly createdAt?: Date | null;
}

/** A note that an account has. */
export interface StoredNote extends PostedNote {
  readonly createdAt: Date;
}

/** What is answered for a posted note (contract 2.4), with the time that is or gets stored. */
export interface NoteResult {
  readonly status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS';
  readonly createdAt: Date;
}

/**
 * What tells a note from others, apart from its time: its body, letter by letter. A note without a body is its
 * documents, in whatever order they are named; the contract leaves that open, and without it any two such notes would
 * be one.
 */
export function noteKey({ body, documentPaths }: PostedNote): string {
  if (body && body.trim() !== '') return `body ${body}`;
  return `documents ${JSON.stringify([...new Set(documentPaths)].sort())}`;
}

/**
 * Which notes of a request are created and which exist already, in the order of the request (contract 4.2). A note
 * with a created_at exists if one with the same key has the same; a note without one exists if there is any with the
 * same key, and is answered with the earliest. One that stands twice in a request is created once.
 *
 * Times are compared in whole seconds: datetimes carry no more in requests and responses, so a client that sends back
 * the created_at that it was given means the same note.
 *
 * @param now created_at of the notes that have none
 */
export function noteResults(
  posted: readonly PostedNote[],
  existing: Iterable<StoredNote>,
  now: Date,
): NoteResult[] {
  const known = new Map<string, Date>();
  const remember = (note: PostedNote, createdAt: Date) => {
    for (const key of [noteKey(note), timedKey(note, createdAt)]) {
      const earliest = known.get(key);
      if (!earliest || createdAt < earliest) known.set(key, createdAt);
    }
  };
  for (const note of existing) remember(note, note.createdAt);

  return posted.map((note) => {
    const same = known.get(note.createdAt ? timedKey(note, note.createdAt) : noteKey(note));
    if (same) return { status: 'NOTE_ALREADY_EXISTS', createdAt: same };
    const createdAt = note.createdAt ?? now;
    remember(note, createdAt);
    return { status: 'NOTE_CREATION_SUCCESS', createdAt };
  });
}

function timedKey(note: PostedNote, createdAt: Date): string {
  return `${Math.floor(createdAt.getTime() / 1_000)} ${noteKey(note)}`;
}
