/** An object that a vendor sent, of which nothing is known. */
export type Answer = Readonly<Record<string, unknown>>;

export function objectIn(value: unknown): Answer {
  return typeof value === 'object' && value !== null ? (value as Answer) : {};
}

/** A vendor's identifier or word, short and printable, so that it can be stored and shown. */
export function wordIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:-]{1,255}$/.test(value) ? value : undefined;
}

export function wholeNumberIn(value: unknown, least: number, most: number): number | undefined {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : undefined;
}

/** An object without the members that are undefined, as it is after JSON. */
export function given<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
