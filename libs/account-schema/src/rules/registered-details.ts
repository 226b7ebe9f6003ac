import type { Account } from '../contract/account';
import type { Person } from '../contract/customer';
import { isObject } from '../vocabulary/json';
import type { Sentence } from './engine/kinds';
import { type Check, customRule, type Report, rule, type Rule } from './engine/rule';
import type { RegisteredDetail } from './operator/reference-data';
import { quote } from './terms/quote';
import { isGiven } from './terms/is-given';

/** Rules about details under registered namespaces and keys, for which the contract has no field. */
export const REGISTERED_DETAIL_RULES: readonly Rule[] = [
  customRule({
    code: 'customer_detail_not_registered',
    at: { person: ['details'] },
    needs: ['reference data: user_detail_namespaces'],
    reason:
      'Only details in a registered namespace are stored; `user_details` is checked by `invalid_choice` first.',
    checks: {
      person(person, { references, nearest }, report) {
        if (!isObject(person.details)) return;
        for (const namespace of Object.keys(person.details)) {
          if (references.has('user_detail_namespaces', namespace) === false)
            report(
              'details',
              `${quote(namespace)} is not a registered namespace for details.${nearest.describe(namespace, references.members('user_detail_namespaces'))}`,
            );
        }
      },
    },
  }),
  customRule({
    code: 'customer_detail_incorrect_value_type',
    at: { person: ['user_details.<i>.value', 'details'] },
    needs: ['reference data: user_detail_namespaces'],
    reason: 'Readers of the detail rely on the type registered for its namespace.',
    checks: { person: eachDetail(describeWrongType) },
  }),
  customRule({
    code: 'customer_detail_failed_validation',
    at: { person: ['user_details.<i>.value', 'details'] },
    needs: ['reference data: user_detail_namespaces'],
    reason: 'The value must match the pattern registered for its namespace.',
    checks: { person: eachDetail(describeMismatch) },
  }),
  customRule({
    code: 'required_customer_details_namespace_missing',
    at: { person: ['user_details'] },
    needs: ['reference data: user_detail_namespaces'],
    reason: 'The operator requires this detail of every person.',
    checks: {
      person(person, { references }, report) {
        const required = references.requiredUserDetails;
        if (required.length === 0) return;
        const given = new Set(detailsOf(person).map(({ namespace }) => namespace));
        for (const { namespace } of required) {
          if (!given.has(namespace))
            report('user_details', `Send the detail ${quote(namespace)}: it is required of every person.`);
        }
      },
    },
  }),
  customRule({
    code: 'repeated_values_for_unique_customer_detail_namespace',
    at: { account: ['customers.<i>.user_details.<i>.value', 'customers.<i>.details'] },
    needs: ['reference data: user_detail_namespaces'],
    reason: 'A value in a unique namespace identifies one person.',
    checks: {
      account(account, { references }, report) {
        if (references.isConfigured('user_detail_namespaces'))
          reportRepeats(
            account,
            (namespace) => references.entry('user_detail_namespaces', namespace)?.unique === true,
            report,
          );
      },
    },
  }),
  rule({
    code: 'business_detail_incorrect_value_type',
    on: 'businessDetail',
    field: 'value',
    needs: ['reference data: business_detail_keys'],
    reason: 'Readers of the detail rely on the type registered for its key.',
    breach: ({ key, value }, { references }) =>
      describeWrongType(key, value, references.entry('business_detail_keys', key)),
  }),
  rule({
    code: 'business_detail_failed_validation',
    on: 'businessDetail',
    field: 'value',
    needs: ['reference data: business_detail_keys'],
    reason: 'The value must match the pattern registered for its key.',
    breach: ({ key, value }, { references }) =>
      describeMismatch(key, value, references.entry('business_detail_keys', key)),
  }),
];

interface PlacedDetail {
  readonly namespace: string;
  readonly value: unknown;
  readonly path: string;
}

/** The details of a person from `user_details` and the older `details`. */
function detailsOf(person: Person): PlacedDetail[] {
  const placed = (person.user_details ?? []).map(({ namespace, value }, i) => ({
    namespace,
    value,
    path: `user_details.${i}.value`,
  }));
  if (!isObject(person.details)) return placed;
  const old = Object.entries(person.details).map(([namespace, value]) => ({
    namespace,
    value,
    path: 'details',
  }));
  return [...placed, ...old];
}

function reportRepeats(account: Account, isUnique: (namespace: string) => boolean, report: Report): void {
  const holders = new Map<string, number>();
  for (const [i, customer] of (account.customers ?? []).entries()) {
    for (const { namespace, value, path } of detailsOf(customer)) {
      if (!isUnique(namespace) || !isGiven(value)) continue;
      const key = JSON.stringify([namespace, value]);
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, i);
      else if (holder !== i)
        report(
          `customers.${i}.${path}`,
          `Repeats customers.${holder}, which has the same value of ${quote(namespace)}.`,
        );
    }
  }
}

type DescribeBreach = (key: string, value: unknown, registered: RegisteredDetail | undefined) => Sentence;

/** Checks each detail of a person by itself. */
function eachDetail(describe: DescribeBreach): Check<Person> {
  return (person, { references }, report) => {
    for (const { namespace, value, path } of detailsOf(person)) {
      const detail = describe(namespace, value, references.entry('user_detail_namespaces', namespace));
      if (detail) report(path, detail);
    }
  };
}

function describeWrongType(key: string, value: unknown, registered: RegisteredDetail | undefined): Sentence {
  return (
    registered &&
    !isOfType(registered, value) &&
    `The value of ${quote(key)} must be of the JSON type ${registered.type}.`
  );
}

function describeMismatch(key: string, value: unknown, registered: RegisteredDetail | undefined): Sentence {
  return (
    registered &&
    !matchesPattern(registered, value) &&
    `The value of ${quote(key)} does not match the pattern that the operator requires.`
  );
}

function isOfType({ type }: RegisteredDetail, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

/** Maximum length of a text that is matched with an operator's pattern. */
const MAX_CHECKED_LENGTH = 1_000;

const patterns = new Map<string, RegExp>();

/** True if the value is not a text or matches the operator's pattern. */
function matchesPattern({ check }: RegisteredDetail, value: unknown): boolean {
  if (check === undefined || typeof value !== 'string') return true;
  if (value.length > MAX_CHECKED_LENGTH) return false;
  let pattern = patterns.get(check);
  if (!pattern) {
    pattern = new RegExp(`^(?:${check})$`);
    patterns.set(check, pattern);
  }
  return pattern.test(value);
}
