/** Values of a body that is handled at once. Two thousand of the most expensive values take 40 ms. */
const MAX_VALUES = 2_000;

/** Characters of text in such a body. */
const MAX_CHARACTERS = 500_000;

/** The characters of bodies that are known to be small, because their text is. */
const small = new WeakMap<object, number>();

/**
 * Records an upper bound of the size of a parsed body, so that {@link isLarge} need not walk it.
 *
 * @param values values in the body, with or without its keys
 * @param characters characters or bytes of its text
 */
export function recordSize(body: object, values: number, characters: number): void {
  if (values <= MAX_VALUES && characters <= MAX_CHARACTERS) small.set(body, characters);
}

/** The recorded characters of a small body; 0 if none are recorded. */
export function charactersOf(body: object): number {
  return small.get(body) ?? 0;
}

/** Records that a member of a body is not larger than the body. */
export function inheritSize(body: object, member: object): void {
  const characters = small.get(body);
  if (characters !== undefined) small.set(member, characters);
}

/** True if a JSON body is so large that its handling must pause for other requests. Reads no more than it has to. */
export function isLarge(body: unknown): boolean {
  if (typeof body === 'object' && body !== null && small.has(body)) return false;
  return exceeds(body, { values: 0, characters: 0 });
}

/** Adds a value. Returns true as soon as a limit is exceeded. Plain loops: a closure for each array takes twice as long. */
function exceeds(body: unknown, size: { values: number; characters: number }): boolean {
  size.values += 1;
  if (typeof body === 'string') size.characters += body.length;
  if (size.values > MAX_VALUES || size.characters > MAX_CHARACTERS) return true;
  if (typeof body !== 'object' || body === null) return false;
  if (Array.isArray(body)) {
    for (const member of body as readonly unknown[]) if (exceeds(member, size)) return true;
    return false;
  }
  for (const key in body) if (exceeds((body as Record<string, unknown>)[key], size)) return true;
  return false;
}
