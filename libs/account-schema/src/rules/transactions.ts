import type { Transaction } from '../contract/transactions';
import type { Facts } from './engine/facts';
import { fieldRule, type Report, type Rule, customRule, rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { findRepeats } from './terms/find-repeats';
import type { StatementHolder } from './terms/statement-holder';

/** Rules about transactions of the account, of its ledgers, and sent after the import. */
export const TRANSACTION_RULES: readonly Rule[] = [
  customRule({
    code: 'duplicate_transaction_ids',
    at: ['<transactions>.<i>.transaction_id'],
    reason: 'A transaction is identified by its id and added once.',
    checks: {
      account(_account, { transactionLists }, report) {
        const seen = new Map<string, string>();
        for (const { path, transactions } of transactionLists) {
          for (const [i, { transaction_id: id }] of transactions.entries()) {
            const first = seen.get(id);
            if (first === undefined) seen.set(id, `${path}.${i}`);
            else report(`${path}.${i}.transaction_id`, duplicateIdDetail(id, first));
          }
        }
      },
      transactionsRequest({ transactions }, _facts, report) {
        for (const { index, first } of findRepeats(transactions, (one) => one.transaction_id))
          report(
            `transactions.${index}.transaction_id`,
            duplicateIdDetail(transactions?.[index]?.transaction_id ?? '', `transactions.${first}`),
          );
      },
    },
  }),
  fieldRule({
    code: 'missing_transaction_id',
    at: ['<transactions>.<i>.transaction_id'],
    reportedAs: 'required',
    reason: 'A transaction is identified by its id and added once.',
  }),
  rule({
    code: 'transaction_in_future',
    on: 'transaction',
    field: 'transaction_date',
    needs: ['clock'],
    reason: 'A transaction must have happened already.',
    breach: ({ transaction_date: date }, { today }) => date > today && `${date} is after today.`,
  }),
  customRule({
    code: 'transactions_target_non_initialised_prepay_meter',
    at: ['<transactions>.<i>.to_prepay_meter_serial_number'],
    tier: 'gbr',
    reason: 'Money can only be sent to a prepayment meter of the payload.',
    checks: {
      account(_account, facts, report) {
        for (const { path, transactions } of facts.transactionLists) {
          for (const [i, { to_prepay_meter_serial_number: serial }] of transactions.entries()) {
            if (isGiven(serial) && !facts.prepayMeterSerials.has(serial))
              report(
                `${path}.${i}.to_prepay_meter_serial_number`,
                `No meter ${quote(serial)} of the payload has prepay_details.`,
              );
          }
        }
      },
    },
  }),
  customRule({
    code: 'historical_statement_billing_document_identifier_missing',
    at: ['<transactions>.<i>.billing_document_identifier'],
    needs: ['instance: require_billing_document_identifier'],
    reason: 'The operator stores historical transactions by billing document.',
    checks: {
      account: reportMissingBill,
      ledger: reportMissingBill,
    },
  }),
  customRule({
    code: 'historical_statement_billing_document_identifier_not_allowed_when_feature_flag_disabled',
    at: ['<transactions>.<i>.billing_document_identifier'],
    needs: ['instance: require_billing_document_identifier'],
    reason: 'The operator does not store billing documents, so the identifier would be lost.',
    checks: {
      account: reportUnwantedBill,
      ledger: reportUnwantedBill,
    },
  }),
  customRule({
    code: 'billing_document_identifier_not_allowed_for_current_statement_transactions',
    at: ['current_statement_transactions.<i>.billing_document_identifier'],
    reason: 'A current transaction is not on a billing document yet.',
    checks: {
      account: reportCurrentBill,
      ledger: reportCurrentBill,
    },
  }),
  customRule({
    code: 'historical_statement_billing_document_identifier_mismatch',
    at: ['<transactions>.<i>.billing_document_identifier'],
    reason: 'All historical transactions of a list belong to one opening statement.',
    checks: {
      account: reportOtherBill,
      ledger: reportOtherBill,
    },
  }),
];

function duplicateIdDetail(id: string, first: string): string {
  return `Repeats ${first}, which has the transaction_id ${quote(id)} as well.`;
}

function reportMissingBill(holder: StatementHolder, { instance }: Facts, report: Report): void {
  if (instance.require_billing_document_identifier !== true) return;
  reportEach(
    holder.historical_statement_transactions,
    HISTORICAL_LIST,
    (bill) => !isGiven(bill),
    BILL_REQUIRED,
    report,
  );
}

function reportUnwantedBill(holder: StatementHolder, { instance }: Facts, report: Report): void {
  if (instance.require_billing_document_identifier !== false) return;
  reportEach(
    holder.historical_statement_transactions,
    HISTORICAL_LIST,
    isGiven,
    'Billing documents are not stored: leave it out.',
    report,
  );
}

function reportCurrentBill(holder: StatementHolder, _facts: Facts, report: Report): void {
  const detail = 'The transaction has not been billed yet: leave it out.';
  reportEach(
    holder.current_statement_transactions,
    'current_statement_transactions',
    isGiven,
    detail,
    report,
  );
}

/** Reports at most one breach for a list. The first bill that is named counts as the right one. */
function reportOtherBill(holder: StatementHolder, _facts: Facts, report: Report): void {
  const bills = (holder.historical_statement_transactions ?? []).map(
    (one) => one.billing_document_identifier,
  );
  const first = bills.find(isGiven);
  const other = bills.findIndex((bill) => isGiven(bill) && bill !== first);
  if (first !== undefined && other >= 0)
    report(
      `${HISTORICAL_LIST}.${other}.billing_document_identifier`,
      `Other transactions of the list are on ${quote(first)}; all must be on one bill.`,
    );
}

const HISTORICAL_LIST = 'historical_statement_transactions';
const BILL_REQUIRED = 'Send the identifier of the bill that the transaction was on.';

function reportEach(
  transactions: readonly Transaction[] | undefined,
  list: string,
  isWrong: (bill: string | undefined) => boolean,
  detail: string,
  report: Report,
): void {
  for (const [i, { billing_document_identifier: bill }] of (transactions ?? []).entries()) {
    if (isWrong(bill)) report(`${list}.${i}.billing_document_identifier`, detail);
  }
}
