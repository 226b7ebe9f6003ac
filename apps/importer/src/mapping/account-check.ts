import { validateAccount } from '@portage/account-schema';
import type { BuiltAccount, Origin, RowError } from './account-builder';
import type { SupplierRules } from './mapping';

/** The defaults of a service. */
const LIMITS = { arrayItems: 10_000, nesting: 32, errors: 1000 };

/** Checks mapped accounts as the service does, apart from what depends on stored data and on the operator's lists. */
export class AccountCheck {
  constructor(
    private readonly supplier: SupplierRules,
    /** The day that rules compare with. */
    private readonly now: Date,
  ) {}

  /** The errors of an account, at the rows and cells that they come from. */
  errorsOf({ account, errors: unreadable, origins }: BuiltAccount): RowError[] {
    // A value that could not be read would be reported again as one that is missing.
    if (unreadable.length > 0) return unreadable;
    const result = validateAccount(account, {
      ...this.supplier,
      rejectUndocumentedFields: true,
      now: this.now,
      limits: LIMITS,
    });
    if (result.ok) return [];
    return result.errors.map(({ code, attr, detail }) => ({
      ...originAt(attr, origins),
      code,
      attr,
      detail,
    }));
  }
}

/** The origin of a value, or that of the nearest object around a value that is missing. */
function originAt(attr: string, origins: ReadonlyMap<string, Origin>): Origin {
  for (let path = attr; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('.'), 0))) {
    const origin = origins.get(path);
    if (origin !== undefined) return origin;
  }
  return origins.get('') as Origin;
}
