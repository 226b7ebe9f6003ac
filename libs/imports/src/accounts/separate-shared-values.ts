import type { NewAccount } from '@portage/accounts';
import type { DatabaseRules } from './database-rules';

/** An account to create, and its rules about values that other accounts have. */
interface Candidate {
  account: NewAccount;
  rules: DatabaseRules;
}

/** A value of an account that its rules compare with other accounts. Two accounts may share it with equal contents. */
interface ComparedValue {
  key: string;
  content: string;
}

/**
 * Separates accounts that may break a rule together: the statement that creates them compares each with stored accounts
 * only. Of several with the same value the first one comes first.
 *
 * @returns accounts that can be created together, and the others, which are to be compared with these
 */
export function separateSharedValues<Item extends Candidate>(
  candidates: readonly Item[],
): { first: Item[]; others: Item[] } {
  const contents = new Map<string, string>();
  const first: Item[] = [];
  const others: Item[] = [];
  for (const candidate of candidates) {
    const values = comparedValues(candidate);
    const isFree = values.every(({ key, content }) => (contents.get(key) ?? content) === content);
    if (isFree) for (const { key, content } of values) contents.set(key, content);
    (isFree ? first : others).push(candidate);
  }
  return { first, others };
}

function comparedValues({ account: { number, rows }, rules }: Candidate): ComparedValue[] {
  const values = new Map<string, string>();
  const add = (content: string, ...key: unknown[]) => values.set(JSON.stringify(key), content);
  for (const { supplierId, namespace, value } of rows.account_reference)
    add(number, 'reference', supplierId, namespace, value);
  for (const { organisationId, caisReference } of rows.debt)
    if (caisReference) add(number, 'debt', organisationId, caisReference);
  for (const { organisationId, supplyPointIdentifier } of rows.charged_period)
    add(number, 'charged', organisationId, supplyPointIdentifier);
  // A person may have the same roles on any number of accounts.
  if (rules.lookups.some(({ kind }) => kind === 'email'))
    for (const [key, roles] of rolesByPerson(rows.held_role)) add(roles, 'email', key);
  return [...values].map(([key, content]) => ({ key, content }));
}

function rolesByPerson(held: NewAccount['rows']['held_role']): Map<string, string> {
  const roles = new Map<string, string[]>();
  for (const { organisationId, email, role } of held) {
    const key = `${organisationId} ${email}`;
    roles.set(key, [...(roles.get(key) ?? []), role]);
  }
  return new Map([...roles].map(([key, names]) => [key, JSON.stringify(names.sort())]));
}
