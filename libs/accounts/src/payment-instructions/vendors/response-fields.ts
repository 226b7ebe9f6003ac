/** An unvalidated object from the response of a vendor. */
export type VendorResponse = Readonly<Record<string, unknown>>;

/** The value if it is an object, else an empty object. */
export function readObject(value: unknown): VendorResponse {
  return typeof value === 'object' && value !== null ? (value as VendorResponse) : {};
}

/** Returns an identifier or enum value that is short and printable, so that it can be stored and displayed. */
export function readIdentifier(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:-]{1,255}$/.test(value) ? value : undefined;
}

export function readInteger(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
}

/** Removes the members that are undefined, as JSON does. */
export function withoutUndefined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
