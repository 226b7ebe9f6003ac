import { type Transaction } from '../ledger/transaction-union';
import { type Facts } from './engine/facts';
import { fieldRule, type Report, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';
import { repeats } from './terms/repeats';
import { type StatementHolder } from './terms/statement-holder';

/** Transactions of the account, of its ledgers, and sent after the import. */
export const TRANSACTION_RULES: readonly Rule[] = [
  rule({
    code: 'duplicate_transaction_ids',
    path: '<transactions>.<i>.transaction_id',
    why: 'A transaction is told from others by its id, and added once.',
    checks: {
      account(_account, { transactionLists }, report) {
        const seen = new Set<string>();
        for (const { path, transactions } of transactionLists) {
          for (const [i, { transaction_id: id }] of transactions.entries()) {
            if (seen.has(id)) report(`${path}.${i}.transaction_id`, sameId(id));
            else seen.add(id);
          }
        }
      },
      transactionsRequest({ transactions }, _facts, report) {
        for (const i of repeats(transactions, (one) => one.transaction_id))
          report(`transactions.${i}.transaction_id`, sameId(transactions?.[i]?.transaction_id ?? ''));
      },
    },
  }),
  fieldRule({
    code: 'missing_transaction_id',
    path: '<transactions>.<i>.transaction_id',
    answeredAs: 'required',
    why: 'A transaction is told from others by its id, and added once.',
  }),
  rule({
    code: 'transaction_in_future',
    path: '<transactions>.<i>.transaction_date',
    needs: ['clock'],
    why: 'What has not happened yet is no transaction.',
    checks: {
      transaction({ transaction_date: date }, { today }, report) {
        if (date > today) report('transaction_date', `${date} is after today.`);
      },
    },
  }),
  rule({
    code: 'transactions_target_non_initialised_prepay_meter',
    path: '<transactions>.<i>.to_prepay_meter_serial_number',
    tier: 'gbr',
    why: 'Money sent to a meter must be money on a meter.',
    checks: {
      account(_account, facts, report) {
        for (const { path, transactions } of facts.transactionLists) {
          for (const [i, { to_prepay_meter_serial_number: serial }] of transactions.entries()) {
            if (given(serial) && !facts.prepayMeterSerials.has(serial))
              report(
                `${path}.${i}.to_prepay_meter_serial_number`,
                `No meter ${quote(serial)} of the payload has prepay_details.`,
              );
          }
        }
      },
    },
  }),
  rule({
    code: 'historical_statement_billing_document_identifier_missing',
    path: '<transactions>.<i>.billing_document_identifier',
    needs: ['instance: require_billing_document_identifier'],
    why: 'The operator keeps history by the bill it was on.',
    checks: {
      account: reportMissingBill,
      ledger: reportMissingBill,
    },
  }),
  rule({
    code: 'historical_statement_billing_document_identifier_not_allowed_when_feature_flag_disabled',
    path: '<transactions>.<i>.billing_document_identifier',
    needs: ['instance: require_billing_document_identifier'],
    why: 'The operator does not keep history by the bill it was on, so the identifier would be lost.',
    checks: {
      account: reportUnwantedBill,
      ledger: reportUnwantedBill,
    },
  }),
  rule({
    code: 'billing_document_identifier_not_allowed_for_current_statement_transactions',
    path: 'current_statement_transactions.<i>.billing_document_identifier',
    why: 'What is still to be billed is on no bill yet.',
    checks: {
      account: reportCurrentBill,
      ledger: reportCurrentBill,
    },
  }),
  rule({
    code: 'historical_statement_billing_document_identifier_mismatch',
    path: '<transactions>.<i>.billing_document_identifier',
    why: 'All history goes on one opening statement.',
    checks: {
      account: reportOtherBill,
      ledger: reportOtherBill,
    },
  }),
];

function sameId(id: string): string {
  return `There is another transaction ${quote(id)}.`;
}

function reportMissingBill(holder: StatementHolder, { instance }: Facts, report: Report): void {
  if (instance.require_billing_document_identifier !== true) return;
  reportEach(holder.historical_statement_transactions, HISTORY, (bill) => !given(bill), NEEDED, report);
}

function reportUnwantedBill(holder: StatementHolder, { instance }: Facts, report: Report): void {
  if (instance.require_billing_document_identifier !== false) return;
  reportEach(
    holder.historical_statement_transactions,
    HISTORY,
    given,
    'Bills are not kept here: leave it out.',
    report,
  );
}

function reportCurrentBill(holder: StatementHolder, _facts: Facts, report: Report): void {
  const detail = 'The transaction is still to be billed, so it is on no bill: leave it out.';
  reportEach(holder.current_statement_transactions, 'current_statement_transactions', given, detail, report);
}

/** The first bill that is named is taken for the right one; one breach a list says enough. */
function reportOtherBill(holder: StatementHolder, _facts: Facts, report: Report): void {
  const bills = (holder.historical_statement_transactions ?? []).map(
    (one) => one.billing_document_identifier,
  );
  const first = bills.find(given);
  const other = bills.findIndex((bill) => given(bill) && bill !== first);
  if (first !== undefined && other >= 0)
    report(
      `${HISTORY}.${other}.billing_document_identifier`,
      `Other transactions of the list are on ${quote(first)}; all must be on one bill.`,
    );
}

const HISTORY = 'historical_statement_transactions';
const NEEDED = 'Say which bill the transaction was on.';

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
