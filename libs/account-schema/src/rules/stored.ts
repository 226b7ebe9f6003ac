import type { Facts } from './engine/facts';
import { lookupRule, type Rule } from './engine/rule';
import type { PeriodToCharge } from './operator/lookups';
import { keyOf } from './terms/find-repeats';
import { isGiven } from './terms/is-given';
import { findDocumentReferences } from './terms/placed-files';
import { quote } from './terms/quote';

/** Rules that check an account against stored data. */
export const STORED_RULES: readonly Rule[] = [
  lookupRule({
    code: 'reference_already_exists',
    cost: 'one probe a value',
    at: { accountReference: ['value'] },
    needs: ['stored: references of accounts'],
    reason: 'A reference identifies one account.',
    async lookup({ account: { references } }, lookups, report) {
      if (!isGiven(references)) return;
      const taken = await lookups.accountReferencesInUse(references);
      for (const i of taken)
        report(
          `references.${i}.value`,
          `Another account has the ${quote(references[i]?.namespace ?? '')} reference ${quote(references[i]?.value ?? '')}.`,
        );
    },
  }),
  lookupRule({
    code: 'cais_reference_already_in_use_on_another_account',
    cost: 'one probe a value',
    at: { debt: ['cais_reference'] },
    needs: ['stored: references of debts'],
    reason: 'Credit reference agencies identify a debt by its reference.',
    async lookup({ account: { debt, debts } }, lookups, report) {
      const placed = [
        ...(debt ? [{ debt, path: 'debt' }] : []),
        ...(debts ?? []).map((one, i) => ({ debt: one, path: `debts.${i}` })),
      ].flatMap((one) =>
        isGiven(one.debt.cais_reference) ? [{ ...one, reference: one.debt.cais_reference }] : [],
      );
      if (placed.length === 0) return;
      const taken = await lookups.caisReferencesInUse(placed.map(({ reference }) => reference));
      for (const { reference, path } of placed) {
        if (taken.has(reference))
          report(`${path}.cais_reference`, `Another account has the reference ${quote(reference)}.`);
      }
    },
  }),
  lookupRule({
    code: 'customer_has_exclusive_role_conflict',
    cost: 'one probe a value',
    at: { customer: ['portfolio_roles'] },
    needs: ['stored: roles of users', 'reference data: roles'],
    reason: 'A person with an exclusive role can have no other role.',
    async lookup({ account: { customers }, references }, lookups, report) {
      if (!isGiven(customers) || !references.isConfigured('roles')) return;
      const emails = customers.flatMap(({ email }) => (isGiven(email) ? [email] : []));
      const held = emails.length > 0 ? await lookups.rolesHeldBy(emails) : new Map<string, string[]>();
      for (const [i, { email, portfolio_roles, account_roles, role }] of customers.entries()) {
        const old = isGiven(role) ? [role] : [];
        const stored = isGiven(email) ? (held.get(email) ?? []) : [];
        const roles = new Set([...(portfolio_roles ?? []), ...(account_roles ?? []), ...old, ...stored]);
        const exclusive = [...roles].find((one) => references.entry('roles', one)?.exclusive === true);
        if (exclusive !== undefined && roles.size > 1)
          report(
            `customers.${i}.portfolio_roles`,
            `The role ${quote(exclusive)} is exclusive, but the person has another role.`,
          );
      }
    },
  }),
  lookupRule({
    code: 'line_items_overlap_already_charged_period',
    cost: 'one probe a value',
    at: { supplyCharge: ['line_items'] },
    needs: ['stored: charged periods of supply points'],
    reason: 'A day of supply is charged once.',
    async lookup(facts, lookups, report) {
      const { charges, periods } = chargesOf(facts);
      if (periods.length === 0) return;
      const charged = await lookups.chargedPeriods(periods);
      for (const { point, path, periods: own } of charges) {
        const clash = own.map((index) => charged.get(index)).find((period) => period !== undefined);
        if (clash)
          report(
            `${path}.line_items`,
            `${quote(point)} has already been charged from ${clash.start_date} to ${clash.end_date}.`,
          );
      }
    },
  }),
  lookupRule({
    code: 'path_does_not_exist_in_file_store',
    cost: 'one check a document',
    at: { statement: ['statement_path'], note: ['document_paths.<i>.document_path'] },
    needs: ['stored: files of the migration', 'instance: check_file_paths'],
    reason: 'A document must be uploaded before it is referred to.',
    async lookup(facts, lookups, report) {
      const files = facts.instance.check_file_paths ? findDocumentReferences(facts.account) : [];
      if (files.length === 0) return;
      const missing = await lookups.missingFiles([...new Set(files.map(({ file }) => file))]);
      for (const { file, path } of files) {
        if (missing.has(file)) report(path, `No file was uploaded under ${quote(file)}.`);
      }
    },
  }),
];

interface PlacedCharge {
  readonly point: string;
  readonly path: string;
  /** The indexes of its periods. */
  readonly periods: readonly number[];
}

/** The charges of supply points, and the different periods of their line items. */
function chargesOf({ transactionLists }: Facts): { charges: PlacedCharge[]; periods: PeriodToCharge[] } {
  const charges: PlacedCharge[] = [];
  const periods: PeriodToCharge[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (supplyPoint: string, start_date: string, end_date: string) => {
    const key = keyOf(supplyPoint, start_date, end_date);
    let index = indexes.get(key);
    if (index === undefined) {
      index = periods.push({ supplyPoint, start_date, end_date }) - 1;
      indexes.set(key, index);
    }
    return index;
  };
  for (const { path, transactions } of transactionLists)
    for (const [i, one] of transactions.entries()) {
      if (one.type !== 'SUPPLY_CHARGE' || !isGiven(one.supply_point_identifier)) continue;
      const { supply_point_identifier: point, line_items: lines } = one;
      const own = new Set(lines.map((line) => indexOf(point, line.start_date, line.end_date)));
      charges.push({ point, path: `${path}.${i}`, periods: [...own] });
    }
  return { charges, periods };
}
