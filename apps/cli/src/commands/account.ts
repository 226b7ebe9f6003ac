import type { WholeAccount } from '@portage/database';
import { InspectAccount } from '@portage/importing';
import { Command } from 'commander';
import { command, show } from '../command';
import { sheet, table } from '../table';
import { eraseAccount } from './account-erasure';

const isOf = <Row extends { ledgerPosition: number }>(ledger: { position: number }, rows: Row[]): Row[] =>
  rows.filter((row) => row.ledgerPosition === ledger.position);

/** The account in the words of the contract. */
function shape(whole: WholeAccount) {
  const { account, supplier, payload } = whole;
  return {
    platform_account_number: account.number,
    import_supplier: supplier.code,
    external_account_number: account.externalAccountNumber,
    external_identifier: account.externalIdentifier,
    account_type: account.accountType,
    created_at: account.createdAt,
    payload_received_at: payload?.receivedAt ?? null,
    payload_erased_at: account.payloadErasedAt,
    erased_at: account.erasedAt,
    ...account.billing,
    ...account.details,
    customers: whole.customers.map((one) => ({
      user_identifier: one.userIdentifier,
      title: one.title,
      given_name: one.givenName,
      family_name: one.familyName,
      email: one.email,
      mobile: one.mobile,
      landline: one.landline,
      date_of_birth: one.dateOfBirth,
      ...one.details,
    })),
    references: whole.references.map(({ namespace, value }) => ({ namespace, value })),
    supply_points: whole.supplyPoints.map((point) => ({
      supply_type: point.supplyType,
      identifier: point.identifier,
      supply_address: point.supplyAddressPosition,
      supply_start_date: point.supplyStartDate,
      supply_end_date: point.supplyEndDate,
      last_billed_to_date: point.lastBilledToDate,
      ...point.details,
      meters: point.meters,
      agreements: whole.agreements
        .filter(({ supplyPointPosition }) => supplyPointPosition === point.position)
        .map((one) => ({
          tariff_code: one.tariffCode,
          effective_from: one.effectiveFrom,
          effective_to: one.effectiveTo,
          ...one.details,
        })),
    })),
    ledgers: whole.ledgers.map((ledger) => ({
      ledger_code: ledger.ledgerCode,
      ledger_identifier: ledger.ledgerIdentifier,
      balance: ledger.balance,
      ...ledger.details,
      statement_periods: isOf(ledger, whole.statementPeriods).map((period) => ({
        start_date: period.startDate,
        end_date: period.endDate,
        is_open: period.closedAt === null,
        closed_at: period.closedAt,
        closing_balance: period.closingBalance,
        transactions: isOf(ledger, whole.transactions)
          .filter(({ periodPosition }) => periodPosition === period.position)
          .map((one) => ({
            transaction_id: one.transactionId,
            transaction_date: one.transactionDate,
            original_date: one.originalDate,
            adjustment: one.adjustment,
            type: one.type,
            amount: one.amount,
            reason: one.reason,
            ...one.details,
          })),
      })),
    })),
    debts: whole.debts.map((one) => ({ cais_reference: one.caisReference, ...one.details })),
    payment_instructions: whole.paymentInstructions.map((one) => ({
      type: one.type,
      vendor: one.vendor,
      reference: one.reference,
      customer_reference: one.customerReference,
      instruction_identifier: one.instructionIdentifier,
      ledger_code: one.ledgerCode,
      is_active: one.isActive,
      verified_at: one.verifiedAt,
      ...one.details,
    })),
    notes: whole.notes.map((one) => ({
      body: one.body,
      created_at: one.createdAt,
      external_id: one.externalId,
      is_pinned: one.isPinned,
      unpin_at: one.unpinAt,
      is_archived: one.isArchived,
      document_paths: one.documentPaths,
    })),
    historical_statements: whole.historicalStatements.map((one) => ({
      statement_id: one.statementId,
      bill_period_from_date: one.billPeriodFromDate,
      bill_period_to_date: one.billPeriodToDate,
      issued_date: one.issuedDate,
      number: one.number,
      gross_amount: one.grossAmount,
      statement_path: one.statementPath,
    })),
    documents: whole.documents.map((one) => ({
      path: one.path,
      kind: one.kind,
      state: one.state,
      size: one.size === null ? null : Number(one.size),
      media_type: one.mediaType,
      sha256: one.sha256?.toString('hex') ?? null,
      error_code: one.errorCode,
      inspected_at: one.inspectedAt,
    })),
    welcome_email: whole.welcomeEmail && {
      recipient: whole.welcomeEmail.recipient,
      subject: whole.welcomeEmail.subject,
      state: whole.welcomeEmail.state,
      error_code: whole.welcomeEmail.errorCode,
      sent_at: whole.welcomeEmail.sentAt,
    },
  };
}

type Shape = ReturnType<typeof shape>;

/** Lists of plain objects become tables of their own; the rest is one sheet. */
function text(account: Shape): string {
  const isList = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object');
  const fields = Object.entries(account as Record<string, unknown>);
  const plain = fields.filter(([, value]) => !isList(value) && !isNothing(value));
  const parts = [sheet(Object.fromEntries(plain))];
  for (const { statement_periods, ...ledger } of account.ledgers) {
    parts.push(`ledger\n${sheet(ledger)}`);
    for (const { transactions, ...period } of statement_periods)
      parts.push(
        `statement period\n${sheet(period)}`,
        ...(transactions.length > 0 ? [rows(transactions)] : []),
      );
  }
  for (const [name, value] of fields)
    if (name !== 'ledgers' && isList(value)) parts.push(`${name.replaceAll('_', ' ')}\n${rows(value)}`);
  return parts.join('\n\n');
}

const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** Columns are the fields that any of the rows has; what is nested is written as JSON. */
function rows(all: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(all.flatMap((row) => Object.keys(row)))].filter((column) =>
    all.some((row) => row[column] !== undefined && !isNothing(row[column])),
  );
  const cell = (value: unknown) =>
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return table(
    columns,
    all.map((row) => columns.map((column) => cell(row[column]))),
    '',
  );
}

export function accountCommands(): Command {
  return new Command('account')
    .description('Imported accounts.')
    .addCommand(
      command(
        'show <number>',
        'Show everything that is stored of an account, by its platform account number.',
      )
        .option('--payload', 'show what the supplier sent instead')
        .action(async (number: string, { json, payload }: { json?: true; payload?: true }) =>
          show(json ?? false, async (app) => {
            const whole = await app.get(InspectAccount).show(number);
            if (payload) {
              const sent = whole.payload?.payload ?? null;
              const erased = `It was erased at ${whole.account.payloadErasedAt}.`;
              return { json: sent, text: sent === null ? erased : JSON.stringify(sent, undefined, 2) };
            }
            const account = shape(whole);
            return { json: account, text: text(account) };
          }),
        ),
    )
    .addCommand(
      command('erase <number>', 'Erase everything personal of an account, by its platform account number.')
        .option('--yes', 'do not ask first')
        .option('--keep-documents', 'leave its documents in the object store, and list them')
        .action(eraseAccount),
    );
}
