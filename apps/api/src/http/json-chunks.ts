import { TimeSlice } from '@portage/platform';

/** Characters of a chunk. */
const CHUNK_CHARACTERS = 64 << 10;

/** The JSON text of a value in chunks, written in slices: other requests are served between them. */
export async function* jsonChunks(value: object): AsyncGenerator<string> {
  const slice = new TimeSlice();
  let chunk = '';
  for (const piece of pieces(value)) {
    await slice.pause();
    chunk += piece;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Divides lists, and objects that have lists. All else is short. */
function* pieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let separator = '[';
    for (const item of value) {
      yield separator;
      yield* pieces(item);
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null && Object.values(value).some(hasList)) {
    let separator = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* pieces(member);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else yield JSON.stringify(value ?? null);
}

/** True for a list, and an object with one. */
function hasList(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value) || Object.values(value).some(hasList))
  );
}
