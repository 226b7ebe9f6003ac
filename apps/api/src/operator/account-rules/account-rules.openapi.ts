import { OperatorOperation } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

const settings: form.Schema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'Settings of the account rules by name. In a change, null restores the default.',
};

export const accountRuleSchemas: Readonly<Record<string, form.Schema>> = {
  ReferenceListSummary: form.objectOf({ list: form.text, entries: form.integer, imported_at: form.moment }),
  ReferenceLists: form.objectOf({ items: form.listOf(form.ref('ReferenceListSummary')) }),
  ReferenceList: form.objectOf({
    list: form.text,
    entries: { description: 'As they were imported: an array, or an object by key.' },
  }),
  ImportReferenceListsRequest: {
    type: 'object',
    additionalProperties: true,
    description: 'Lists by name, as `reference import` reads them from a file.',
  },
  InstanceSettings: settings,
};

const lists = { items: [{ list: 'ledger_types', entries: 2, imported_at: '2026-11-22T10:02:11.120Z' }] };
const tag = 'Account rules';
const params = { list: { description: 'The name of the list', example: 'ledger_types' } };

/** Describes the reference lists. */
export const DescribeReferenceLists = () =>
  OperatorOperation({
    ...{ tag, operationId: 'listReferenceLists', summary: 'List the reference lists', role: 'viewer' },
    ...{ answer: 'ReferenceLists', answerDescription: 'The configured lists.', example: lists },
  });

/** Describes one reference list. */
export const DescribeReferenceList = () =>
  OperatorOperation({
    ...{ tag, operationId: 'readReferenceList', summary: 'Read a reference list', role: 'viewer', params },
    ...{ answer: 'ReferenceList', answerDescription: 'The list.', errors: ['not_found'] },
    example: { list: 'ledger_types', entries: [] },
  });

/** Describes the import of reference lists. */
export const DescribeImportReferenceLists = () =>
  OperatorOperation({
    ...{ tag, operationId: 'importReferenceLists', summary: 'Replace reference lists', role: 'admin' },
    description: 'Each list replaces the stored one of its name, all or none.',
    body: { schema: 'ImportReferenceListsRequest', examples: { lists: { operations_teams: ['North'] } } },
    ...{ answer: 'ReferenceLists', answerDescription: 'The imported lists.', example: lists },
    errors: ['operation_refused'],
  });

/** Describes the removal of a reference list. */
export const DescribeRemoveReferenceList = () =>
  OperatorOperation({
    ...{ tag, operationId: 'removeReferenceList', summary: 'Remove a reference list', role: 'admin', params },
    description: 'Its codes are no longer checked.',
    ...{ status: 204, answerDescription: 'The list is removed.', errors: ['not_found'] },
  });

/** Describes the settings of the installation. */
export const DescribeInstanceSettings = () =>
  OperatorOperation({
    ...{ tag, operationId: 'readInstanceSettings', role: 'viewer' },
    summary: 'Read the settings of the account rules of the installation',
    ...{ answer: 'InstanceSettings', answerDescription: 'All settings with their effective values.' },
    example: { payment_day_min: 1 },
  });

/** Describes a change of the settings of the installation. */
export const DescribeSetInstanceSettings = () =>
  OperatorOperation({
    ...{ tag, operationId: 'setInstanceSettings', role: 'admin' },
    summary: 'Set the settings of the account rules of the installation',
    body: { schema: 'InstanceSettings', examples: { set: { payment_day_min: 1 } } },
    ...{ answer: 'InstanceSettings', answerDescription: 'All settings with their effective values.' },
    ...{ example: { payment_day_min: 1 }, errors: ['validation_error', 'operation_refused'] },
  });
