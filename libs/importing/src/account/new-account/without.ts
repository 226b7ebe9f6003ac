/** What of an object has no column of its own: the fields that are not named, without those that are absent. */
export function without(from: object, named: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(from).filter(([name, value]) => value !== undefined && !named.has(name)),
  );
}
