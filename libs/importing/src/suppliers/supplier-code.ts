import { identifierOf } from '@portage/account-schema';

/**
 * The import supplier code of a body (`import_supplier`), read as every identifier is.
 *
 * @returns undefined when the body has no code
 */
export function supplierCodeOf(payload: Record<string, unknown>): string | undefined {
  const code = identifierOf(payload['import_supplier'])?.trim();
  return code === '' ? undefined : code;
}
