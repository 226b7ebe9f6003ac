import { customRule, each, fieldRule, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { findRepeats } from './terms/find-repeats';

/** Rules about transactions of the account, of its ledgers, and sent after the import. */
export const TRANSACTION_RULES: readonly Rule[] = [
  customRule({
    code: 'duplicate_transaction_ids',
    at: { transaction: ['transaction_id'] },
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
    at: { transaction: ['transaction_id'] },
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
    at: { transaction: ['to_prepay_meter_serial_number'] },
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
  rule({
    code: 'historical_statement_billing_document_identifier_missing',
    on: ['account', 'ledger'],
    field: 'historical_statement_transactions.<i>.billing_document_identifier',
    needs: ['instance: require_billing_document_identifier'],
    reason: 'The operator stores historical transactions by billing document.',
    breach: ({ historical_statement_transactions: history }, { instance }) =>
      instance.require_billing_document_identifier === true &&
      each(
        history,
        ({ billing_document_identifier: bill }) =>
          !isGiven(bill) && 'Send the identifier of the bill that the transaction was on.',
      ),
  }),
  rule({
    code: 'historical_statement_billing_document_identifier_not_allowed_when_feature_flag_disabled',
    on: ['account', 'ledger'],
    field: 'historical_statement_transactions.<i>.billing_document_identifier',
    needs: ['instance: require_billing_document_identifier'],
    reason: 'The operator does not store billing documents, so the identifier would be lost.',
    breach: ({ historical_statement_transactions: history }, { instance }) =>
      instance.require_billing_document_identifier === false &&
      each(
        history,
        ({ billing_document_identifier: bill }) =>
          isGiven(bill) && 'Billing documents are not stored: leave it out.',
      ),
  }),
  rule({
    code: 'billing_document_identifier_not_allowed_for_current_statement_transactions',
    on: ['account', 'ledger'],
    field: 'current_statement_transactions.<i>.billing_document_identifier',
    reason: 'A current transaction is not on a billing document yet.',
    breach: ({ current_statement_transactions: current }) =>
      each(
        current,
        ({ billing_document_identifier: bill }) =>
          isGiven(bill) && 'The transaction has not been billed yet: leave it out.',
      ),
  }),
  rule({
    code: 'historical_statement_billing_document_identifier_mismatch',
    on: ['account', 'ledger'],
    field: 'historical_statement_transactions.<i>.billing_document_identifier',
    reason: 'All historical transactions of a list belong to one opening statement.',
    breach: ({ historical_statement_transactions: history = [] }) => {
      // The first bill that is named counts as the right one, and one other transaction is reported.
      const billed = history.filter((one) => isGiven(one.billing_document_identifier));
      const first = billed[0]?.billing_document_identifier ?? '';
      const other = billed.find((one) => one.billing_document_identifier !== first);
      return (
        other &&
        each(
          history,
          (one) =>
            one === other &&
            `Other transactions of the list are on ${quote(first)}; all must be on one bill.`,
        )
      );
    },
  }),
];

function duplicateIdDetail(id: string, first: string): string {
  return `Repeats ${first}, which has the transaction_id ${quote(id)} as well.`;
}
