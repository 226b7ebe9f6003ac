import type { DeepPartial } from 'typeorm';
import type { AccountDto } from './dto/account.dto';
import type { LedgerDto, TransactionDto } from './dto/ledger.dto';
import type { Account } from './entities/account.entity';
import type { ImportProcess } from './entities/import-process.entity';
import type { Ledger, Transaction } from './entities/ledger.entity';
import type { SupplyPoint } from './entities/supply-point.entity';

/** Builds the account entity of a payload with all its relations. */
export function accountOf(process: ImportProcess, payload: AccountDto, now: Date): DeepPartial<Account> {
  const ledgers = ledgersOf(payload);
  const { customers = [], references = [], debts = [], notes = [], statements = [] } = payload;
  const { supply_addresses = [], payment_instructions = [], ...rest } = payload;
  const {
    ledgers: _,
    historical_statement_transactions: __,
    current_statement_transactions: ___,
    ...own
  } = rest;
  const isBilling = ([name]: [string, unknown]) => name.startsWith('billing_');
  return {
    processId: process.id,
    supplierId: process.supplierId,
    number: `A-${Number(process.id).toString(16).padStart(8, '0')}`,
    externalAccountNumber: process.externalAccountNumber,
    externalIdentifier: process.externalIdentifier,
    accountType: payload.account_type ?? null,
    billing: Object.fromEntries(Object.entries(own).filter(isBilling)),
    details: Object.fromEntries(
      Object.entries({
        ...own,
        customers: undefined,
        references: undefined,
        debts: undefined,
        notes: undefined,
      }).filter((entry) => !isBilling(entry)),
    ),
    customers: customers.map(
      (
        {
          user_identifier,
          title,
          given_name,
          family_name,
          email,
          mobile,
          landline,
          date_of_birth,
          ...details
        },
        position,
      ) => ({
        ...{ position, title: title ?? null, email: email ?? null, details },
        ...{
          givenName: given_name ?? '',
          familyName: family_name ?? '',
          userIdentifier: user_identifier ?? null,
        },
        ...{ mobile: mobile ?? null, landline: landline ?? null, dateOfBirth: date_of_birth ?? null },
      }),
    ),
    references: references.map((reference, position) => ({
      ...{ position, supplierId: process.supplierId, namespace: reference.namespace, value: reference.value },
    })),
    debts: debts.map((details, position) => ({ position, details })),
    supplyPoints: supply_addresses
      .flatMap(({ meter_points }, address) => meter_points.map((point) => ({ point, address })))
      .map(({ point, address }, position) => supplyPointOf(point, address, position)),
    ledgers: ledgers.map((ledger, position) => ledgerOf(ledger, position, now)),
    chargedPeriods: ledgers.flatMap(
      ({ historical_statement_transactions = [], current_statement_transactions = [] }) =>
        [...historical_statement_transactions, ...current_statement_transactions].flatMap(chargedPeriodsOf),
    ),
    notes: notes.map((note) => ({
      ...{ body: note.body ?? null, externalId: note.external_id ?? null },
      ...{ isPinned: note.is_pinned ?? false, isArchived: false, documentPaths: [] },
      createdAt: note.created_at === undefined ? now : new Date(note.created_at),
      unpinAt: note.unpin_at === undefined ? null : new Date(note.unpin_at),
    })),
    statements: statements.map((statement) => ({
      statementId: statement.statement_id,
      ...{ from: statement.bill_period_from_date, to: statement.bill_period_to_date },
      ...{ issuedDate: statement.issued_date ?? null, number: statement.number ?? null },
      grossAmount: statement.gross_amount ?? null,
    })),
    paymentInstructions: payment_instructions.map(
      ({ type, vendor, reference, instruction_identifier, ledger_code, ...details }) => ({
        ...{ type, vendor, reference, instructionIdentifier: instruction_identifier ?? null },
        ...{ ledgerCode: ledger_code ?? '', isActive: true, details },
      }),
    ),
  };
}

function supplyPointOf(
  point: NonNullable<AccountDto['supply_addresses']>[number]['meter_points'][number],
  supplyAddressPosition: number,
  position: number,
): DeepPartial<SupplyPoint> {
  const { supply_type, identifier, supply_start_date, supply_end_date, last_billed_to_date, ...rest } = point;
  const { meters = [], agreements = [], ...details } = rest;
  return {
    ...{ position, supplyAddressPosition, supplyType: supply_type, identifier, meters, details },
    ...{ supplyStartDate: supply_start_date, supplyEndDate: supply_end_date ?? null },
    lastBilledToDate: last_billed_to_date ?? null,
    agreements: agreements.map(({ tariff_code, effective_from, effective_to, ...more }, nth) => ({
      ...{ position: nth, tariffCode: tariff_code, details: more },
      ...{ effectiveFrom: effective_from, effectiveTo: effective_to ?? null },
    })),
  };
}

/** An account without ledgers gets one ledger. */
function ledgersOf(payload: AccountDto): LedgerDto[] {
  if (payload.ledgers && payload.ledgers.length > 0) return payload.ledgers;
  const { transfer_balance, last_statement_balance, last_statement_closing_date } = payload;
  const { historical_statement_transactions, current_statement_transactions } = payload;
  return [
    {
      ...(transfer_balance !== undefined && { ledger_balance: transfer_balance }),
      ...(last_statement_balance !== undefined && { last_statement_balance }),
      ...(last_statement_closing_date !== undefined && { last_statement_closing_date }),
      ...(historical_statement_transactions && { historical_statement_transactions }),
      ...(current_statement_transactions && { current_statement_transactions }),
    },
  ];
}

/** A ledger with a closed statement period for its history and an open one. */
function ledgerOf(ledger: LedgerDto, position: number, now: Date): DeepPartial<Ledger> {
  const { ledger_code, ledger_identifier, ledger_balance, ...rest } = ledger;
  const { historical_statement_transactions = [], current_statement_transactions = [], ...details } = rest;
  const closed = ledger.last_statement_closing_date ?? now.toISOString().slice(0, 10);
  const open = new Date(Date.parse(closed) + 86_400_000);
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));
  return {
    ...{ position, ledgerCode: ledger_code ?? null, ledgerIdentifier: ledger_identifier ?? null, details },
    balance: ledger_balance ?? '0',
    periods: [
      {
        ...{ position: 0, startDate: null, endDate: closed, closedAt: now },
        closingBalance: ledger.last_statement_balance ?? null,
        transactions: historical_statement_transactions.map(transactionOf),
      },
      {
        ...{ position: 1, startDate: dayOf(open), endDate: dayOf(end), closedAt: null, closingBalance: null },
        transactions: current_statement_transactions.map(transactionOf),
      },
    ],
  };
}

function transactionOf(transaction: TransactionDto): DeepPartial<Transaction> {
  const { transaction_id, transaction_date, type, amount, reason, ...details } = transaction;
  return {
    ...{ transactionId: transaction_id, transactionDate: transaction_date, type, amount, details },
    reason: reason ?? null,
  };
}

function chargedPeriodsOf({ type, supply_point_identifier, line_items = [] }: TransactionDto) {
  if (type !== 'SUPPLY_CHARGE' || supply_point_identifier === undefined) return [];
  return line_items.map(({ start_date, end_date }) => ({
    ...{ supplyPointIdentifier: supply_point_identifier, startDate: start_date, endDate: end_date },
  }));
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
