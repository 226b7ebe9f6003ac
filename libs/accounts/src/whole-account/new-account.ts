import { type Account } from '@portage/account-schema';
import { dayIn } from '@portage/account-schema/service';
import type { ImportSupplierEntity } from '@portage/tenants';
import type { AccountRows, NewAccount } from './account-rows';
import { billingCycleOf } from '../statements/billing-cycle';
import { ledgerRows } from './ledgers';
import { documentRows, instructionRows, noteRows, statementRows } from './notes-and-statements';
import { customerRows, debtRows, heldRoleRows, referenceRows } from './people';
import { supplyRows } from './supply';
import { welcomeEmailRows } from './welcome';
import { omitFields } from '../account/omit-fields';

/** Fields that have columns or tables of their own. All other fields are stored in the account's details. */
const FIELDS_WITH_COLUMNS: ReadonlySet<string> = new Set([
  'import_supplier',
  'external_account_number',
  'external_identifier',
  'account_type',
  'references',
  'customers',
  'supply_addresses',
  'ledgers',
  'historical_statement_transactions',
  'current_statement_transactions',
  'statements',
  'notes',
  'debt',
  'debts',
  'payment_instructions',
] satisfies (keyof Account)[]);

const isBilling = ([name]: [string, unknown]) => name.startsWith('billing_');

/** Builds the rows of a valid account (contract, "Account"). `now` is the time of the import. */
export function newAccount(
  account: Account,
  number: string,
  supplier: Pick<ImportSupplierEntity, 'id' | 'code' | 'organisationId' | 'timeZone' | 'sendMigrationEmails'>,
  now: Date,
): NewAccount {
  const sections = Object.entries(omitFields(account, FIELDS_WITH_COLUMNS));
  const cycle = billingCycleOf(account.account_billing_options, account.next_bill_due_date);
  const rows: AccountRows = {
    customer: customerRows(account),
    held_role: heldRoleRows(account, supplier.organisationId),
    account_reference: referenceRows(account, supplier.id),
    debt: debtRows(account, supplier.organisationId),
    ...supplyRows(account, supplier.id),
    ...ledgerRows(account, supplier.organisationId, { now, today: dayIn(supplier.timeZone, now), cycle }),
    note: noteRows(account, now),
    historical_statement: statementRows(account),
    document: documentRows(account),
    payment_instruction: instructionRows(account),
    welcome_email: supplier.sendMigrationEmails ? welcomeEmailRows(account, number, supplier.code) : [],
  };
  return {
    number,
    accountType: account.account_type ?? null,
    billing: Object.fromEntries(sections.filter(isBilling)),
    details: {
      ...Object.fromEntries(sections.filter((section) => !isBilling(section))),
      supply_addresses: (account.supply_addresses ?? []).map(({ meter_points: _, ...address }) => address),
    },
    cycle,
    rows,
  };
}
