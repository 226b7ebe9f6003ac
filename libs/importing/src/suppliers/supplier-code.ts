/**
 * The import supplier code of a body (`import_supplier`). A number counts as its decimal text, as in every text field.
 *
 * @returns undefined when the body has no code
 */
export function supplierCodeOf(payload: Record<string, unknown>): string | undefined {
  const code = payload['import_supplier'];
  if (typeof code === 'number') return String(code);
  return typeof code === 'string' && code !== '' ? code : undefined;
}
