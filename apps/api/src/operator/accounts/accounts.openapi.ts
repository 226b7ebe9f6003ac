import { OperatorOperation } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

export const accountSchemas: Readonly<Record<string, form.Schema>> = {
  Account: {
    type: 'object',
    additionalProperties: true,
    required: [
      'platform_account_number',
      'import_supplier',
      'external_account_number',
      'customers',
      'ledgers',
    ],
    properties: {
      platform_account_number: form.text,
      import_supplier: form.text,
      external_account_number: form.text,
      customers: form.listOf({ type: 'object', additionalProperties: true }),
      ledgers: form.listOf({ type: 'object', additionalProperties: true }),
    },
    description: 'All stored data of the account, with the names of `account show --json`.',
  },
  EraseAccountRequest: form.bodyOf(
    {
      confirm: form.described(form.text, 'The number of the account, as the operator typed it.'),
      keep_documents: form.described(form.flag, 'True: its documents stay in the document store.'),
    },
    ['keep_documents'],
  ),
  ErasedAccount: form.objectOf({
    account_number: form.text,
    erased_at: form.moment,
    was_erased_before: form.flag,
    removed_documents: form.listOf(form.text),
    left_documents: form.described(
      form.listOf(form.text),
      'Documents that other accounts name too, or that are kept.',
    ),
  }),
};

const ofAccount = {
  tag: 'Accounts',
  params: { number: { description: 'The account number', example: 'A-9c41e07b' } },
} as const;

/** Describes the reading of an account. */
export const DescribeAccount = () =>
  OperatorOperation({
    ...{ ...ofAccount, operationId: 'readAccount', summary: 'Read an account with its personal data' },
    role: 'operator',
    description: 'Each call writes the audit entry `account.read` before it answers.',
    ...{ answer: 'Account', answerDescription: 'The account.', errors: ['not_found'] },
    example: {
      ...{ platform_account_number: 'A-9c41e07b', import_supplier: 'DEMO', customers: [], ledgers: [] },
      external_account_number: 'A-100231',
    },
  });

/** Describes the erasure of an account. */
export const DescribeEraseAccount = () =>
  OperatorOperation({
    ...{ ...ofAccount, operationId: 'eraseAccount', summary: 'Erase the personal data of an account' },
    role: 'admin',
    description: 'It cannot be undone. Amounts and dates of transactions stay. Safe to repeat.',
    body: { schema: 'EraseAccountRequest', examples: { erase: { confirm: 'A-9c41e07b' } } },
    ...{ answer: 'ErasedAccount', answerDescription: 'What was erased.' },
    example: {
      ...{ account_number: 'A-9c41e07b', erased_at: '2026-11-22T10:02:11.120Z', was_erased_before: false },
      ...{ removed_documents: ['demo/statement-1.pdf'], left_documents: [] },
    },
    errors: ['not_found', 'validation_error', 'confirmation_required', 'operation_refused'],
  });
