/** Returns a copy without the named fields and without undefined ones: the fields that have no column of their own. */
export function omitFields(object: object, names: ReadonlySet<string>): Record<string, unknown> {
  // Half the time of Object.entries, filter and Object.fromEntries. Objects of the contract have no other prototype.
  const rest: Record<string, unknown> = {};
  for (const name in object) {
    const value = (object as Record<string, unknown>)[name];
    if (value !== undefined && !names.has(name)) rest[name] = value;
  }
  return rest;
}
