/** Returns a copy without the named fields and without undefined ones: the fields that have no column of their own. */
export function omitFields(object: object, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => value !== undefined && !names.has(name)),
  );
}
