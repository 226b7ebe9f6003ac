import { Inject, Injectable } from '@nestjs/common';
import { type Account, type SchemaContext, validateAccount } from '@portage/account-schema';
import { CONFIG, type Config } from '@portage/config';
import type { ImportSupplierEntity } from '@portage/database';
import type { Clock, FieldError, ImportSupplierStatus, ValidationProfile } from '@portage/domain';
import { CLOCK } from '../clock-token';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';
import { supplierCodeOf } from './account-request';

/** What of a supplier decides how its accounts are read. */
export interface ReadingSettings {
  profile: ValidationProfile;
  region: string;
  timeZone: string;
  rejectUndocumentedFields: boolean;
}

export type CheckedAccount =
  | { ok: true; account: Account; supplier: ImportSupplierEntity; ignoredFields: string[] }
  | { ok: false; errors: FieldError[]; ignoredFields: string[] };

const WITHOUT_SUPPLIER: ReadingSettings = {
  profile: 'core',
  region: 'GB',
  timeZone: 'UTC',
  rejectUndocumentedFields: false,
};

/** Checks accounts by the rules of their supplier, for validation, scheduling and creation alike. */
@Injectable()
export class AccountValidation {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Everything that is wrong with a payload, in the payload's order, or the account (contract 4.6). A supplier that
   * the organisation does not have is an error at `import_supplier`, whether or not somebody else has it.
   */
  async check(organisationId: number, payload: Record<string, unknown>): Promise<CheckedAccount> {
    const code = supplierCodeOf(payload);
    const supplier = code === undefined ? undefined : await this.suppliers.find(organisationId, code);
    const result = this.read(payload, supplier ?? WITHOUT_SUPPLIER);
    const errors = result.ok ? [] : result.errors;
    const objection = code === undefined ? undefined : objectionTo(supplier, code);
    if (objection && !errors.some((error) => error.attr === objection.attr))
      insertInOrder(errors, objection, payload);
    if (errors.length > 0 || !result.ok || !supplier)
      return { ok: false, errors, ignoredFields: result.ignoredFields };
    return { ok: true, account: result.value, supplier, ignoredFields: result.ignoredFields };
  }

  /** Reads a payload by the rules of a known supplier. */
  read(payload: unknown, settings: ReadingSettings) {
    const context: SchemaContext = {
      profile: settings.profile,
      region: settings.region,
      timeZone: settings.timeZone,
      rejectUndocumentedFields: settings.rejectUndocumentedFields,
      now: this.clock.now(),
      limits: {
        arrayItems: this.config.MAX_ARRAY_ITEMS,
        nesting: this.config.MAX_NESTING,
        errors: this.config.MAX_ERRORS,
      },
    };
    return validateAccount(payload, context);
  }
}

/** Why this supplier takes no accounts, for people. */
export function notOngoing(status: ImportSupplierStatus): string {
  return status === 'Paused'
    ? 'Migrations of this import supplier are paused. Ask the operator when they go on.'
    : 'Migrations of this import supplier are complete. No more accounts are accepted.';
}

function objectionTo(supplier: ImportSupplierEntity | undefined, code: string): FieldError | undefined {
  if (!supplier)
    return {
      attr: 'import_supplier',
      code: 'invalid_choice',
      detail: `"${code.slice(0, 40)}" is not an import supplier of your organisation.`,
    };
  if (supplier.status === 'Ongoing') return undefined;
  return {
    attr: 'import_supplier',
    code: 'import_supplier_migration_not_ongoing',
    detail: notOngoing(supplier.status),
  };
}

/** Puts an error where its field stands in the payload. */
function insertInOrder(errors: FieldError[], error: FieldError, payload: Record<string, unknown>): void {
  const places = new Map(Object.keys(payload).map((key, place) => [key, place]));
  const placeOf = ({ attr }: FieldError) => places.get(attr.split('.', 1)[0] as string) ?? -1;
  const own = placeOf(error);
  const index = errors.findIndex((other) => placeOf(other) > own);
  errors.splice(index === -1 ? errors.length : index, 0, error);
}
