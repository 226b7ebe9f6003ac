import { validateAccount, validateBody } from '@portage/account-schema';
import type { BuiltLine, BuiltRow, Origin, RowError } from './account-builder';
import { BODIES } from './account-fields';
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

  /** The errors of a row, at the rows and cells that they come from. */
  errorsOf({ lines, errors: unreadable }: BuiltRow): RowError[] {
    // A value that could not be read would be reported again as one that is missing.
    if (unreadable.length > 0) return unreadable;
    return lines.flatMap((line) => this.errorsIn(line).map((error) => locate(error, line)));
  }

  private errorsIn({ request, value }: BuiltLine): readonly LineError[] {
    const context = { ...this.supplier, rejectUndocumentedFields: true, now: this.now, limits: LIMITS };
    if (request === 'account') {
      const result = validateAccount(value, context);
      return result.ok ? [] : result.errors;
    }
    const { [request]: body, ...options } = value;
    const result = validateBody<object>(BODIES[request], body, context);
    const errors = result.ok ? [] : result.errors;
    const wrong = Object.entries(options).filter(([, option]) => typeof option !== 'boolean');
    return [
      ...errors.map((error) => ({ ...error, attr: `${request}.${error.attr}` })),
      ...wrong.map(([attr]) => ({ attr, code: 'invalid', detail: 'Enter true or false.' })),
    ];
  }
}

/** An error of a line in the words of the contract. */
export interface LineError {
  readonly code: string;
  /** The path; empty for an error of the line as a whole. */
  readonly attr: string;
  readonly detail: string;
}

/** The error of a line at the cell that its value comes from, or at the row of the nearest object around it. */
export function locate({ code, attr, detail }: LineError, { origins }: BuiltLine): RowError {
  const about = { code, detail, ...(attr !== '' && { attr }) };
  for (let path = attr; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('.'), 0))) {
    const origin = origins.get(path);
    if (origin !== undefined) return { ...origin, ...about };
  }
  return { ...(origins.get('') as Origin), ...about };
}
