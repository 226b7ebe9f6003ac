/** The size of a JSON body. */
export interface BodySize {
  /** Its values, with or without its keys. */
  readonly values: number;
  /** Characters or bytes of its text. */
  readonly characters: number;
}

/** A larger body takes milliseconds to handle. */
const MAX_SIZE: BodySize = { values: 2_000, characters: 500_000 };

const sizes = new WeakMap<object, BodySize>();

/** Records an upper bound of the size of a parsed body. */
export function recordSize(body: object, size: BodySize): void {
  sizes.set(body, size);
}

/** Records that a member of a body is not larger than the body. */
export function inheritSize(body: object, member: object): void {
  const size = sizes.get(body);
  if (size) sizes.set(member, size);
}

/** The recorded characters of a body; 0 if none are recorded. */
export function charactersOf(body: object): number {
  return sizes.get(body)?.characters ?? 0;
}

/** True if a body is recorded as so large that what cannot be divided of its handling needs a turn of its own. */
export function isLarge(body: object): boolean {
  const { values, characters } = sizes.get(body) ?? { values: 0, characters: 0 };
  return values > MAX_SIZE.values || characters > MAX_SIZE.characters;
}
