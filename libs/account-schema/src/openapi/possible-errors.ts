import type { PropertyConstraints } from '../compiler/constraints';
import { fieldsOfRule } from '../rules/engine/paths';
import { RULES } from '../rules/list';
import { codeOf } from '../vocabulary/constraint';
import type { ObjectType } from '../vocabulary/shape';

/** The codes of the errors that are reported at each field: of its field check, and of the rules that name it. */
export class PossibleErrors {
  /** Codes of rules by `Class.field`. */
  private readonly codesOfRules = new Map<string, Set<string>>();

  constructor() {
    for (const one of RULES)
      for (const { type, field } of fieldsOfRule(one)) {
        const key = `${type.name}.${field}`;
        this.codesOfRules.set(key, (this.codesOfRules.get(key) ?? new Set()).add(one.code));
      }
  }

  /** The codes at one field, in the order in which they are checked. */
  codesOf(type: ObjectType, { property, constraints, items }: PropertyConstraints): string[] {
    const ofRules = this.codesOfRules.get(`${type.name}.${property}`) ?? [];
    return [...new Set([...[...constraints, ...items].map(codeOf), ...ofRules])];
  }
}
