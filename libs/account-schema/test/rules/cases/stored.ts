import { type Edits, onMinimalAccount, type RuleCase } from '../rule-case';
import { LINE, supplyCharge } from './parts';

const POINT = '1000000000110';
const MAY = { start_date: '2024-05-01', end_date: '2024-05-31' };
const ROLES = {
  roles: [
    { code: 'ADMIN', exclusive: false },
    { code: 'EXECUTOR', exclusive: true },
  ],
};

/** Cases of rules that check stored data. */
export const STORED_CASES: readonly RuleCase[] = [
  onMinimalAccount(
    'reference_already_exists',
    'references.1.value',
    { references: [reference('W-1'), reference('W-2')] },
    { references: [reference('W-1'), reference('W-3')] },
    {
      lookups: {
        accountReferencesInUse: (asked) =>
          Promise.resolve(new Set(asked.flatMap(({ value }, i) => (value === 'W-2' ? [i] : [])))),
      },
    },
  ),
  onMinimalAccount(
    'cais_reference_already_in_use_on_another_account',
    'debts.0.cais_reference',
    { debts: [{ cais_reference: 'R-1' }] },
    { debts: [{ cais_reference: 'R-2' }] },
    {
      instance: { cais_references_enabled: true },
      lookups: { caisReferencesInUse: (asked) => Promise.resolve(only('R-1', asked)) },
    },
  ),
  onMinimalAccount(
    'cais_reference_already_in_use_on_another_account',
    'debt.cais_reference',
    { debt: { cais_reference: 'R-1' } },
    { debt: { cais_reference: 'R-2' } },
    {
      instance: { cais_references_enabled: true },
      lookups: { caisReferencesInUse: (asked) => Promise.resolve(only('R-1', asked)) },
    },
  ),
  onMinimalAccount(
    'customer_has_exclusive_role_conflict',
    'customers.0.portfolio_roles',
    { customers: [{ portfolio_roles: ['ADMIN', 'EXECUTOR'] }] },
    { customers: [{ portfolio_roles: ['EXECUTOR', 'EXECUTOR'] }] },
    { references: ROLES },
  ),
  onMinimalAccount(
    'customer_has_exclusive_role_conflict',
    'customers.0.portfolio_roles',
    { customers: [{ portfolio_roles: ['ADMIN'], email: 'known@example.org' }] },
    { customers: [{ portfolio_roles: ['ADMIN'], email: 'unknown@example.org' }] },
    {
      references: ROLES,
      lookups: {
        rolesHeldBy: (asked) =>
          Promise.resolve(
            new Map([...only('known@example.org', asked)].map((email) => [email, ['EXECUTOR']])),
          ),
      },
    },
  ),
  onMinimalAccount(
    'line_items_overlap_already_charged_period',
    'current_statement_transactions.0.line_items',
    charged('2024-05-31'),
    charged('2024-06-01'),
    {
      references: { products: undefined },
      lookups: {
        chargedPeriods: (asked) =>
          Promise.resolve(
            new Map(
              asked.flatMap(({ supplyPoint, start_date }, i) =>
                supplyPoint === POINT && start_date <= MAY.end_date ? [[i, MAY] as const] : [],
              ),
            ),
          ),
      },
    },
  ),
  onMinimalAccount(
    'path_does_not_exist_in_file_store',
    'notes.0.document_paths.0.document_path',
    { notes: [{ document_paths: [{ document_path: 'missing.pdf' }] }] },
    { notes: [{ document_paths: [{ document_path: 'there.pdf' }] }] },
    {
      instance: { check_file_paths: true },
      lookups: { missingFiles: (asked) => Promise.resolve(only('missing.pdf', asked)) },
    },
  ),
];

/** The value as the answer to a question about several, if it was asked for. */
function only(value: string, asked: readonly string[]): Set<string> {
  return new Set(asked.filter((one) => one === value));
}

function reference(value: string): object {
  return { namespace: 'old-web-portal-id', value };
}

function charged(start_date: string): Edits {
  const line_items = [{ ...LINE, start_date, end_date: '2024-06-05' }];
  return { current_statement_transactions: [supplyCharge({ line_items, supply_point_identifier: POINT })] };
}
