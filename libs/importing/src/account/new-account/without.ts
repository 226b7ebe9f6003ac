/** What of an object has no column of its own: the fields that are not named, without those that are absent. */
export function without(from: object, named: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && !named.has(name)) rest[name] = value;
  return rest;
}
