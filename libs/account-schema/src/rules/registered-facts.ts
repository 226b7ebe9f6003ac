import { type Account } from '../account/account';
import { type Person } from '../customer/person';
import { isObject } from '../vocabulary/json';
import { type Report, rule, type Rule } from './engine/rule';
import { type RegisteredFact } from './operator/reference-data';
import { quote } from './terms/quote';
import { given } from './terms/given';

/** Facts that the contract has no field for, but the operator a registered place. */
export const REGISTERED_FACT_RULES: readonly Rule[] = [
  rule({
    code: 'customer_detail_not_registered',
    path: 'customers.<i>.details | business.users.<i>.details',
    needs: ['reference data: user_detail_namespaces'],
    why: 'A fact without a registered place would be lost. In user_details the closed list says so first.',
    checks: {
      person(person, { references }, report) {
        if (!isObject(person.details)) return;
        for (const namespace of Object.keys(person.details)) {
          if (references.has('user_detail_namespaces', namespace) === false)
            report('details', `${quote(namespace)} is not registered as a place for details.`);
        }
      },
    },
  }),
  rule({
    code: 'customer_detail_incorrect_value_type',
    path: 'customers.<i>.user_details.<j>.value | customers.<i>.details | business.users.<i> …',
    needs: ['reference data: user_detail_namespaces'],
    why: 'Whoever reads the fact relies on its type.',
    checks: {
      person(person, { references }, report) {
        for (const { namespace, value, path } of detailsOf(person)) {
          const registered = references.userDetail(namespace);
          if (registered && !isOfType(registered, value)) report(path, wrongType(namespace, registered));
        }
      },
    },
  }),
  rule({
    code: 'customer_detail_failed_validation',
    path: 'customers.<i>.user_details.<j>.value | customers.<i>.details | business.users.<i> …',
    needs: ['reference data: user_detail_namespaces'],
    why: 'The operator says what a fact of this kind looks like.',
    checks: {
      person(person, { references }, report) {
        for (const { namespace, value, path } of detailsOf(person)) {
          const registered = references.userDetail(namespace);
          if (registered && !passesCheck(registered, value)) report(path, failedCheck(namespace));
        }
      },
    },
  }),
  rule({
    code: 'required_customer_details_namespace_missing',
    path: 'customers.<i>.user_details | business.users.<i>.user_details',
    needs: ['reference data: user_detail_namespaces'],
    why: 'The operator cannot do without this fact about a person.',
    checks: {
      person(person, { references }, report) {
        for (const { namespace } of references.requiredUserDetails()) {
          if (!detailsOf(person).some((detail) => detail.namespace === namespace))
            report('user_details', `The detail ${quote(namespace)} is required of everyone.`);
        }
      },
    },
  }),
  rule({
    code: 'repeated_values_for_unique_customer_detail_namespace',
    path: 'customers.<i>.user_details.<j>.value | customers.<i>.details',
    needs: ['reference data: user_detail_namespaces'],
    why: 'What identifies one person cannot identify another.',
    checks: {
      account(account, { references }, report) {
        if (references.isConfigured('user_detail_namespaces'))
          reportRepeats(account, (namespace) => references.userDetail(namespace)?.unique === true, report);
      },
    },
  }),
  rule({
    code: 'business_detail_incorrect_value_type',
    path: 'business.details.<i>.value',
    needs: ['reference data: business_detail_keys'],
    why: 'Whoever reads the fact relies on its type.',
    checks: {
      businessDetail({ key, value }, { references }, report) {
        const registered = references.businessDetail(key);
        if (registered && !isOfType(registered, value)) report('value', wrongType(key, registered));
      },
    },
  }),
  rule({
    code: 'business_detail_failed_validation',
    path: 'business.details.<i>.value',
    needs: ['reference data: business_detail_keys'],
    why: 'The operator says what a fact of this kind looks like.',
    checks: {
      businessDetail({ key, value }, { references }, report) {
        const registered = references.businessDetail(key);
        if (registered && !passesCheck(registered, value)) report('value', failedCheck(key));
      },
    },
  }),
];

interface PlacedDetail {
  readonly namespace: string;
  readonly value: unknown;
  readonly path: string;
}

/** The facts about a person in the new form and in the old one. */
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
      if (!isUnique(namespace) || !given(value)) continue;
      const key = JSON.stringify([namespace, value]);
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, i);
      else if (holder !== i)
        report(`customers.${i}.${path}`, `Another customer has the same value of ${quote(namespace)}.`);
    }
  }
}

function isOfType({ type }: RegisteredFact, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

/** Longest text that an operator's pattern is tried on. */
const LONGEST_CHECKED = 1_000;

const patterns = new Map<string, RegExp>();

/** Texts only: a value of another type has no pattern. */
function passesCheck({ check }: RegisteredFact, value: unknown): boolean {
  if (check === undefined || typeof value !== 'string') return true;
  if (value.length > LONGEST_CHECKED) return false;
  let pattern = patterns.get(check);
  if (!pattern) {
    pattern = new RegExp(`^(?:${check})$`);
    patterns.set(check, pattern);
  }
  return pattern.test(value);
}

function wrongType(key: string, { type }: RegisteredFact): string {
  return `The value of ${quote(key)} must be of the JSON type ${type}.`;
}

function failedCheck(key: string): string {
  return `The value of ${quote(key)} does not look as the operator requires.`;
}
