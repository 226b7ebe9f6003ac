import {
  DEFAULT_LIMITS,
  findWarnings,
  type SchemaContext,
  validateAccount,
  validateBody,
} from '@portage/account-schema';
import type { BuiltLine, BuiltRow, Origin, RowError } from './account-builder';
import { BODIES } from './account-fields';
import type { SupplierRules } from './mapping';

/** Checks mapped accounts as the service does, apart from what depends on stored data and on the operator's lists. */
export class AccountCheck {
  private readonly context: SchemaContext;

  /** @param now the day that rules compare with */
  constructor(supplier: SupplierRules, now: Date) {
    this.context = { ...supplier, rejectUndocumentedFields: true, now, limits: DEFAULT_LIMITS };
  }

  /** The errors of a row, at the rows and cells that they come from. */
  errorsOf({ lines, errors: unreadable }: BuiltRow): RowError[] {
    // A value that could not be read would be reported again as one that is missing.
    if (unreadable.length > 0) return unreadable;
    return lines.flatMap((line) => locate(this.errorsIn(line), line));
  }

  /** What is allowed but implausible in the accounts of a row without errors. */
  warningsOf({ lines }: BuiltRow): RowError[] {
    return lines.flatMap((line) => {
      const result = line.request === 'account' ? validateAccount(line.value, this.context) : undefined;
      return result?.ok === true ? locate(findWarnings(result.value, this.context), line) : [];
    });
  }

  private errorsIn({ request, value }: BuiltLine): readonly LineError[] {
    const { context } = this;
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

/** The errors of a line, each at the cell that its value comes from, or at the row of the nearest object around it. */
export function locate(errors: readonly LineError[], line: BuiltLine): RowError[] {
  if (errors.length === 0) return [];
  const origins = line.trace();
  return errors.map(({ code, attr, detail }) => ({
    ...originAt(attr, origins),
    code,
    detail,
    ...(attr !== '' && { attr }),
  }));
}

function originAt(attr: string, origins: ReadonlyMap<string, Origin>): Origin {
  for (let path = attr; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('.'), 0))) {
    const origin = origins.get(path);
    if (origin !== undefined) return origin;
  }
  return origins.get('') as Origin;
}
