import fc from 'fast-check';
import { noteKey, noteResults, type PostedNote, type StoredNote } from './note-identity';

const NOW = new Date('2026-11-21T08:40:05.678Z');
const at = (text: string) => new Date(text);
const [MAY, JUNE] = [at('2024-05-01T09:00:00Z'), at('2024-06-01T09:00:00Z')];

/** The notes of the account after a request. */
function apply(posted: readonly PostedNote[], existing: readonly StoredNote[], now: Date): StoredNote[] {
  const results = noteResults(posted, existing, now);
  const created = posted.flatMap((note, place) => {
    const result = results[place];
    return result?.status === 'NOTE_CREATION_SUCCESS' ? [{ ...note, createdAt: result.createdAt }] : [];
  });
  return [...existing, ...created];
}

const statuses = (posted: readonly PostedNote[], existing: readonly StoredNote[] = []) =>
  noteResults(posted, existing, NOW).map(({ status }) =>
    status === 'NOTE_CREATION_SUCCESS' ? 'new' : 'old',
  );

describe('the identity of a note (contract, "Add notes")', () => {
  const stored: StoredNote[] = [
    { body: 'Rang', createdAt: JUNE },
    { body: 'Rang', createdAt: MAY },
    { body: 'Rang', createdAt: at('2024-07-01T09:00:00Z'), externalId: 'N-1' },
    { documentPaths: ['b.pdf', 'a.pdf'], createdAt: MAY },
    { body: 'See file', documentPaths: ['c.pdf'], createdAt: MAY },
  ];

  it.each<[string, PostedNote, 'new' | 'old']>([
    ['the same body', { body: 'Rang' }, 'old'],
    ['the same body and time', { body: 'Rang', createdAt: JUNE }, 'old'],
    ['the same body at another time', { body: 'Rang', createdAt: at('2024-06-01T09:00:01Z') }, 'new'],
    ['another body at the same time', { body: 'Wrote', createdAt: MAY }, 'new'],
    ['a body in other letters', { body: 'rang' }, 'new'],
    ['a body with a space after it', { body: 'Rang ' }, 'new'],
    ['the same body with a document more', { body: 'Rang', documentPaths: ['z.pdf'] }, 'old'],
    ['the same documents in another order', { documentPaths: ['a.pdf', 'b.pdf', 'a.pdf'] }, 'old'],
    ['the same documents and a blank body', { body: ' ', documentPaths: ['a.pdf', 'b.pdf'] }, 'old'],
    ['one document less', { documentPaths: ['a.pdf'] }, 'new'],
    ['the documents of a note with a body', { documentPaths: ['c.pdf'] }, 'new'],
    ['a body that looks like documents', { body: 'documents ["a.pdf","b.pdf"]' }, 'new'],
    ['documents that look like two', { documentPaths: ['a.pdf","b.pdf'] }, 'new'],
    ['the same external_id with another body', { body: 'Wrote', externalId: 'N-1' }, 'old'],
    ['another external_id with the same body', { body: 'Rang', createdAt: MAY, externalId: 'N-2' }, 'new'],
    ['a body that looks like an external_id', { body: 'id N-1' }, 'new'],
  ])('%s', (_case, note, expected) => {
    expect(statuses([note], stored)).toEqual([expected]);
  });

  it('is returned with the stored time, the earliest if several notes match', () => {
    expect(noteResults([{ body: 'Rang' }, { body: 'Rang', createdAt: JUNE }], stored, NOW)).toEqual([
      { status: 'NOTE_ALREADY_EXISTS', createdAt: MAY },
      { status: 'NOTE_ALREADY_EXISTS', createdAt: JUNE },
    ]);
  });

  it('makes a note that occurs twice in a request created once', () => {
    expect(statuses([{ body: 'A' }, { body: 'B' }, { body: 'A' }])).toEqual(['new', 'new', 'old']);
    expect(statuses([{ body: 'A', createdAt: MAY }, { body: 'A' }])).toEqual(['new', 'old']);
    expect(statuses([{ body: 'A' }, { body: 'A', createdAt: MAY }])).toEqual(['new', 'new']);
    expect(
      statuses([
        { body: 'A', externalId: '1' },
        { body: 'A', externalId: '2' },
        { body: 'B', externalId: '1' },
      ]),
    ).toEqual(['new', 'new', 'old']);
  });

  it('matches a created_at that was returned without fractions of a second', () => {
    const created = apply([{ body: 'A' }], [], NOW);
    const answered = at('2026-11-21T08:40:05Z');
    expect(statuses([{ body: 'A', createdAt: answered }], created)).toEqual(['old']);
  });

  it('is found for each of many notes with the same body', () => {
    const notes = Array.from({ length: 10_000 }, (_, n) => ({ body: 'A', createdAt: new Date(n * 1_000) }));
    expect(new Set(statuses(notes, notes))).toEqual(new Set(['old']));
  });
});

const anyNote = fc.oneof(
  fc.record({
    body: fc.constantFrom('A', 'B', 'C'),
    createdAt: fc.option(fc.constantFrom(MAY, JUNE, NOW)),
  }),
  fc.record({
    documentPaths: fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
    createdAt: fc.option(fc.constantFrom(MAY, JUNE)),
  }),
);

describe('a request with notes', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.array(anyNote), fc.array(anyNote), (first, second) => {
        const before = apply(first, [], MAY);
        const after = apply(second, before, NOW);
        const again = noteResults(second, after, new Date(NOW.getTime() + 86_400_000));
        expect(again.filter(({ status }) => status === 'NOTE_CREATION_SUCCESS')).toEqual([]);
        expect(apply(first, after, NOW)).toEqual(after);
      }),
    );
  });

  it('leaves the account with every posted note and without duplicates', () => {
    fc.assert(
      fc.property(fc.array(anyNote), (posted) => {
        const after = apply(posted, [], NOW);
        const identities = after.map((note) => `${noteKey(note)} ${note.createdAt.getTime()}`);
        expect(new Set(identities).size).toBe(identities.length);
        for (const note of posted)
          expect(
            after.some(
              (one) =>
                noteKey(one) === noteKey(note) &&
                (!note.createdAt || one.createdAt.getTime() === note.createdAt.getTime()),
            ),
          ).toBe(true);
      }),
    );
  });
});
