import { type SupplyChargeTransaction } from '../ledger/supply-charge-transaction';
import { type Facts } from './engine/facts';
import { lookupRule, type Rule } from './engine/rule';
import { type ChargedPeriod } from './operator/lookups';
import { given } from './terms/given';
import { placedFiles } from './terms/placed-files';
import { quote } from './terms/quote';

/** Rules about an account that only what is stored can answer. */
export const STORED_RULES: readonly Rule[] = [
  lookupRule({
    code: 'reference_already_exists',
    path: 'references.<i>.value',
    needs: ['stored: references of accounts'],
    why: 'A reference leads to one account.',
    async lookup({ account: { references } }, lookups, report) {
      if (!given(references)) return;
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
    path: 'debts.<i>.cais_reference | debt.cais_reference',
    needs: ['stored: references of debts'],
    why: 'Credit agencies tell debts apart by their reference.',
    async lookup({ account: { debt, debts } }, lookups, report) {
      const placed = [
        ...(debt ? [{ debt, path: 'debt' }] : []),
        ...(debts ?? []).map((one, i) => ({ debt: one, path: `debts.${i}` })),
      ].flatMap((one) =>
        given(one.debt.cais_reference) ? [{ ...one, reference: one.debt.cais_reference }] : [],
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
    path: 'customers.<i>.portfolio_roles',
    needs: ['stored: roles of users', 'reference data: roles'],
    why: 'Some roles are for people who have no other.',
    async lookup({ account: { customers }, references }, lookups, report) {
      if (!given(customers) || !references.isConfigured('roles')) return;
      const emails = customers.flatMap(({ email }) => (given(email) ? [email] : []));
      const held = emails.length > 0 ? await lookups.rolesHeldBy(emails) : new Map<string, string[]>();
      for (const [i, { email, portfolio_roles, account_roles, role }] of customers.entries()) {
        const old = given(role) ? [role] : [];
        const stored = given(email) ? (held.get(email) ?? []) : [];
        const roles = new Set([...(portfolio_roles ?? []), ...(account_roles ?? []), ...old, ...stored]);
        const exclusive = [...roles].find((one) => references.role(one)?.exclusive === true);
        if (exclusive !== undefined && roles.size > 1)
          report(
            `customers.${i}.portfolio_roles`,
            `The role ${quote(exclusive)} goes together with no other, and the person has another.`,
          );
      }
    },
  }),
  lookupRule({
    code: 'line_items_overlap_already_charged_period',
    path: '<transactions>.<i>.line_items',
    needs: ['stored: charged periods of supply points'],
    why: 'A day of supply is charged once.',
    async lookup(facts, lookups, report) {
      const charges = chargesOf(facts);
      if (charges.length === 0) return;
      const points = new Set(charges.map(({ point }) => point));
      const charged = await lookups.chargedPeriods([...points]);
      for (const { charge, point, path } of charges) {
        const clash = firstClash(charge, charged.get(point) ?? []);
        if (clash)
          report(
            `${path}.line_items`,
            `${quote(point)} has been charged from ${clash.start_date} to ${clash.end_date} already.`,
          );
      }
    },
  }),
  lookupRule({
    code: 'path_does_not_exist_in_file_store',
    path: 'statements.<i>.statement_path | notes.<i>.document_paths.<j>.document_path | portfolio.notes … | business.portfolios.<i>.notes …',
    needs: ['stored: files of the migration', 'instance: check_file_paths'],
    why: 'A document that was not uploaded cannot be shown.',
    async lookup(facts, lookups, report) {
      const files = facts.instance.check_file_paths ? placedFiles(facts.account) : [];
      if (files.length === 0) return;
      const missing = await lookups.missingFiles([...new Set(files.map(({ file }) => file))]);
      for (const { file, path } of files) {
        if (missing.has(file)) report(path, `No file was uploaded under ${quote(file)}.`);
      }
    },
  }),
];

interface PlacedCharge {
  readonly charge: SupplyChargeTransaction;
  readonly point: string;
  readonly path: string;
}

function chargesOf({ transactionLists }: Facts): PlacedCharge[] {
  return transactionLists.flatMap(({ path, transactions }) =>
    transactions.flatMap((one, i) =>
      one.type === 'SUPPLY_CHARGE' && given(one.supply_point_identifier)
        ? [{ charge: one, point: one.supply_point_identifier, path: `${path}.${i}` }]
        : [],
    ),
  );
}

/** Both ends of a line and of a stored period are included. */
function firstClash(
  { line_items: lines }: SupplyChargeTransaction,
  charged: readonly ChargedPeriod[],
): ChargedPeriod | undefined {
  return charged.find((period) =>
    lines.some((line) => line.start_date <= period.end_date && line.end_date >= period.start_date),
  );
}
