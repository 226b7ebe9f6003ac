import { identifierOf } from '@portage/account-schema/service';
import type { FieldError } from '@portage/platform';

/**
 * The import supplier code of a body (`import_supplier`), read as every identifier is.
 *
 * @returns undefined when the body has no code
 */
export function supplierCodeOf(payload: Record<string, unknown>): string | undefined {
  const code = identifierOf(payload['import_supplier']);
  return code === '' ? undefined : code;
}

/**
 * The error at `import_supplier` of a code that is missing, or that the organisation does not have.
 *
 * @param code undefined when the body has no code
 */
export function buildSupplierError(code: string | undefined): FieldError {
  const attr = 'import_supplier';
  if (code === undefined) return { attr, code: 'required', detail: 'Enter the code of an import supplier.' };
  return {
    attr,
    code: 'invalid_choice',
    detail: `"${code.slice(0, 40)}" is not an import supplier of your organisation.`,
  };
}
