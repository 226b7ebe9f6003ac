import { shapesOf } from '../../compiler/constraints';
import { MEMBERS_OF_STEP, type Steps } from '../../compiler/steps';
import type { FieldError, ValidationProfile } from '../../context';
import { isUnion, type ObjectType, type Shape } from '../../vocabulary/shape';
import type { Facts } from './facts';
import type { Check, MemberBreach, ObjectCheck, PayloadRule, Rule } from './kinds';
import { checkOfLists } from './list-rule';
import { type ScopeName, scopesOf } from './scope';
import { peek, TRIPWIRE } from '../../compiler/tripwire';

/** A check that reports by itself, or one that finds a breach at a field. */
type RunnableCheck =
  | { readonly code: string; readonly field: undefined; readonly run: Check<object> }
  | { readonly code: string; readonly field: string; readonly run: ObjectCheck['find'] };

/** The checks of a class, and its fields that lead to further classes with checks. */
interface RunnableScope {
  readonly checks: readonly RunnableCheck[];
  readonly fields: readonly RunnableField[];
}

interface RunnableField {
  readonly key: string;
  readonly scopeOf: (member: object) => RunnableScope | undefined;
}

/** The breaches of rules: their number, and those up to a limit. */
export interface Breaches {
  readonly count: number;
  readonly listed: readonly FieldError[];
}

/** The rules of one profile, grouped by class so that a single walk over a payload runs all of them. */
export class RuleSet {
  private readonly scopes = new Map<ObjectType, RunnableScope | undefined>();
  private readonly rules: readonly PayloadRule[];

  constructor(
    rules: readonly Rule[],
    private readonly profile: ValidationProfile,
  ) {
    const all = profile === 'gb-energy';
    this.rules = rules.filter(
      (one): one is PayloadRule =>
        one.checkedBy === 'payload' && (all || (one.tier === 'core' && !one.completeness)),
    );
  }

  /**
   * Runs all rules on `subject`, an object of the class, and the objects inside it. Lists at most `maxBreaches`
   * breaches.
   */
  *findBreaches(type: ObjectType, subject: object, facts: Facts, maxBreaches: number): Steps<Breaches> {
    const runnable = this.runnable(type);
    const walk = new Walk(facts, maxBreaches);
    if (runnable) walk.visit(runnable, subject);
    while (walk.visitNext()) yield;
    return { count: walk.breachCount, listed: walk.breaches };
  }

  private runnable(type: ObjectType): RunnableScope | undefined {
    if (!this.scopes.has(type)) this.scopes.set(type, this.build(type));
    return this.scopes.get(type);
  }

  private build(type: ObjectType): RunnableScope | undefined {
    const scopes = scopesOf(type);
    const checks = this.rules.flatMap((one) => runnableChecks(one, type, scopes, this.profile));
    const fields = [...shapesOf(type)].flatMap(([key, shape]) => (shape ? this.field(key, shape) : []));
    return checks.length + fields.length > 0 ? { checks, fields } : undefined;
  }

  private field(key: string, shape: Shape): RunnableField[] {
    if (!isUnion(shape)) {
      const scope = this.runnable(shape);
      return scope ? [{ key, scopeOf: () => scope }] : [];
    }
    const variants = new Map(
      Object.entries(shape.variants).map(([value, type]) => [value, this.runnable(type)] as const),
    );
    return [{ key, scopeOf: (member) => variants.get(peek(member, shape.discriminator) as string) }];
  }
}

function runnableChecks(
  { code, objectCheck, checks, lists, marketScopes }: PayloadRule,
  type: ObjectType,
  names: readonly ScopeName[],
  profile: ValidationProfile,
): RunnableCheck[] {
  const scopes = names.filter((scope) => profile === 'gb-energy' || !marketScopes.includes(scope));
  if (objectCheck) {
    const { on, field, find } = objectCheck;
    return on.some((scope) => scopes.includes(scope)) ? [{ code, field, run: find }] : [];
  }
  const own = scopes.map((scope) => checks[scope] as Check<object> | undefined);
  return [...own, lists && checkOfLists(type, lists)].flatMap((run) =>
    run ? [{ code, field: undefined, run }] : [],
  );
}

/** The rest of a list, which a later step visits. */
interface Remainder {
  readonly path: readonly (string | number)[];
  readonly list: readonly unknown[];
  readonly start: number;
  readonly scopeOf: RunnableField['scopeOf'];
}

/** A walk over one payload. The current path is kept as segments and joined only when a breach is reported. */
class Walk {
  readonly breaches: FieldError[] = [];
  breachCount = 0;
  private path: (string | number)[] = [];
  private code = '';
  private membersLeft = MEMBERS_OF_STEP;
  private remainders: Remainder[] = [];

  constructor(
    private readonly facts: Facts,
    private readonly maxBreaches: number,
  ) {}

  visit(scope: RunnableScope, subject: object): void {
    for (const check of scope.checks) {
      this.code = check.code;
      this.runCheck(check, subject);
    }
    for (const { key, scopeOf } of scope.fields) {
      const value = peek(subject, key);
      if (typeof value !== 'object' || value === null) continue;
      this.path.push(key);
      if (Array.isArray(value)) this.visitMembers(value, scopeOf);
      else this.visitMember(value, scopeOf);
      this.path.pop();
    }
  }

  /** Visits the next list that was put off. Returns false if there is none. */
  visitNext(): boolean {
    const [next, ...others] = this.remainders;
    if (!next) return false;
    this.remainders = [];
    this.membersLeft = MEMBERS_OF_STEP;
    this.path = [...next.path];
    this.visitMembers(next.list, next.scopeOf, next.start);
    this.remainders = [...this.remainders, ...others];
    return true;
  }

  private visitMembers(list: readonly unknown[], scopeOf: RunnableField['scopeOf'], start = 0): void {
    for (let i = start; i < list.length; i += 1) {
      if (this.membersLeft === 0) {
        this.remainders.push({ path: [...this.path], list, start: i, scopeOf });
        return;
      }
      this.membersLeft -= 1;
      const member = peek(list, i);
      if (typeof member !== 'object' || member === null) continue;
      this.path.push(i);
      this.visitMember(member, scopeOf);
      this.path.pop();
    }
  }

  private visitMember(member: object, scopeOf: RunnableField['scopeOf']): void {
    const scope = scopeOf(member);
    if (scope) this.visit(scope, member);
  }

  /** Discards the breaches of a check that reads an invalid value: they may be consequences of that value. */
  private runCheck(check: RunnableCheck, subject: object): void {
    const before = this.breaches.length;
    const countBefore = this.breachCount;
    try {
      if (check.field === undefined) {
        check.run(subject, this.facts, this.report);
      } else {
        const breach = check.run(subject, this.facts);
        if (typeof breach === 'string' && breach !== '') this.report(check.field, breach);
        else if (breach) this.reportMembers(check.field, breach);
      }
    } catch (error) {
      if (error !== TRIPWIRE) throw error;
      this.breaches.length = before;
      this.breachCount = countBefore;
    }
  }

  private reportMembers(field: string, breaches: readonly MemberBreach[]): void {
    for (const { indexes, detail } of breaches) {
      let depth = 0;
      this.report(
        field.replaceAll('<i>', () => String(indexes[depth++])),
        detail,
      );
    }
  }

  private readonly report = (path: string, detail: string): void => {
    this.breachCount += 1;
    if (this.breaches.length >= this.maxBreaches) return;
    const here = this.path.join('.');
    const attr = here === '' || path === '' ? here + path : `${here}.${path}`;
    this.breaches.push({ detail, code: this.code, attr: attr === '' ? 'non_field_errors' : attr });
  };
}
