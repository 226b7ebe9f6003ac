import {
  CREATION_MODES,
  IMPORT_SUPPLIER_STATUSES,
  V1_ERROR_FORMATS,
  VALIDATION_PROFILES,
} from '@portage/domain';
import { OperatorOperation, PAGE_QUERY, SUPPLIER_PARAM } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';
import { supplierSummaryExample } from '../overview/overview.openapi';

/** The settings that can be set, by their names in this API. */
const settings: Readonly<Record<string, form.Schema>> = {
  region: form.described(form.text, 'ISO 3166 country code.'),
  creation_mode: form.oneOf(CREATION_MODES),
  profile: form.oneOf(VALIDATION_PROFILES),
  document_root: form.described(form.text, 'The folder of its documents in the document store.'),
  currency: form.described(form.text, 'ISO 4217 code.'),
  time_zone: form.described(form.text, 'IANA time zone.'),
  verify_documents: form.flag,
  reject_undocumented_fields: form.flag,
  send_migration_emails: form.flag,
  retain_payload_days: form.described(form.nullable(form.integer), 'Null: payloads are kept.'),
  v1_error_format: form.oneOf(V1_ERROR_FORMATS),
  max_processing_accounts: form.described(form.nullable(form.integer), 'Null: no limit.'),
};

const ruleSettings: form.Schema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'Settings of the account rules by name. In a change, null restores the default.',
};

const settingsExample = {
  ...{ region: 'GB', creation_mode: 'direct', profile: 'core', document_root: 'demo', currency: 'GBP' },
  ...{ time_zone: 'Europe/London', verify_documents: false, reject_undocumented_fields: false },
  ...{ send_migration_emails: false, retain_payload_days: null, v1_error_format: 'standard' },
  ...{ max_processing_accounts: null, rule_settings: {} },
};

const supplierExample = {
  ...{ code: 'DEMO', organisation: 'Demo Energy', status: 'Ongoing', ...settingsExample },
  ...{ created_at: '2026-11-20T08:00:00.000000Z', modified_at: '2026-11-21T09:30:00.000000Z' },
};

const supplierProperties: Readonly<Record<string, form.Schema>> = {
  code: form.text,
  organisation: form.text,
  status: form.oneOf(IMPORT_SUPPLIER_STATUSES),
  ...settings,
  rule_settings: ruleSettings,
  created_at: form.moment,
  modified_at: form.moment,
};

export const supplierSchemas: Readonly<Record<string, form.Schema>> = {
  Supplier: form.objectOf(supplierProperties),
  SupplierPage: form.pageOf('Supplier'),
  Funnel: form.objectOf({
    received: form.described(form.integer, 'All accounts.'),
    valid: form.described(form.integer, 'Accounts that have not ended with an error.'),
    rehearsed: form.described(
      form.integer,
      'Accounts whose dry run has succeeded, or that were created after one.',
    ),
    created: form.described(form.integer, 'PROCESSED.'),
    followed_up: form.described(form.integer, 'Created accounts whose documents and e-mail are settled.'),
    errored: form.integer,
    cancelled: form.integer,
  }),
  TopError: form.objectOf({
    code: form.text,
    count: form.integer,
    share: form.described(form.number, 'Of all accounts with an error, from 0 to 1.'),
    example: form.nullable(form.objectOf({ process_id: form.text, external_account_number: form.text })),
  }),
  SupplierDetail: form.objectOf({
    settings: form.ref('Supplier'),
    summary: form.ref('SupplierSummary'),
    funnel: form.ref('Funnel'),
    top_errors: form.described(form.listOf(form.ref('TopError')), 'At most 10, the most frequent first.'),
    latency_ms: form.described(
      form.nullable(form.number),
      'Mean time from the acceptance of an account to its creation, over the last hour.',
    ),
  }),
  Throughput: form.objectOf({
    step_seconds: form.integer,
    points: {
      type: 'array',
      description:
        'One for each step without a gap, the oldest first: seconds since 1970, accepted, processed, errored, mean latency in milliseconds or null. Accepted counts accounts that were received for the first time.',
      items: {
        type: 'array',
        prefixItems: [form.integer, form.integer, form.integer, form.integer, form.nullable(form.number)],
        items: form.nullable(form.number),
        minItems: 5,
        maxItems: 5,
      },
    },
  }),
  SupplierStatusRequest: form.bodyOf({ status: form.oneOf(IMPORT_SUPPLIER_STATUSES) }),
  CreateSupplierRequest: form.bodyOf(
    { code: form.text, organisation: form.text, ...settings, rule_settings: ruleSettings },
    [...Object.keys(settings), 'rule_settings'],
  ),
  SupplierSettingsRequest: form.bodyOf({ ...settings, rule_settings: ruleSettings }, [
    ...Object.keys(settings),
    'rule_settings',
  ]),
};

const supplier = { tag: 'Suppliers', params: SUPPLIER_PARAM } as const;
const SUPPLIER_ERRORS = ['not_found', 'validation_error', 'operation_refused'] as const;

/** Describes the list of suppliers. */
export const DescribeSuppliers = () =>
  OperatorOperation({
    ...{ tag: 'Suppliers', operationId: 'listSuppliers', summary: 'List suppliers by code', role: 'viewer' },
    query: PAGE_QUERY,
    ...{ answer: 'SupplierPage', answerDescription: 'A page of suppliers.', errors: ['validation_error'] },
    example: { items: [supplierExample], next_cursor: null },
  });

/** Describes one supplier. */
export const DescribeSupplier = () =>
  OperatorOperation({
    ...{ ...supplier, operationId: 'readSupplierDetail', summary: 'Read a supplier', role: 'viewer' },
    description:
      'Its settings, the funnel of its accounts and its most frequent errors, as counted each minute.',
    ...{ answer: 'SupplierDetail', answerDescription: 'The supplier.', errors: ['not_found'] },
    example: {
      settings: supplierExample,
      summary: supplierSummaryExample,
      funnel: {
        ...{ received: 19987, valid: 19974, rehearsed: 0, created: 10790, followed_up: 10702 },
        ...{ errored: 13, cancelled: 0 },
      },
      top_errors: [
        {
          ...{ code: 'import_process_failed_validation', count: 13, share: 1 },
          example: { process_id: '100231', external_account_number: 'A-100231' },
        },
      ],
      latency_ms: 812.4,
    },
  });

/** Describes the throughput. */
export const DescribeThroughput = () =>
  OperatorOperation({
    ...{ ...supplier, operationId: 'readThroughput', summary: 'Read throughput over time', role: 'viewer' },
    description: 'Minutes of the last seven days, or hours made of them. The current minute is not complete.',
    query: {
      from: {
        description: 'The first moment. By default an hour ago for minutes, and a day ago for hours.',
        schema: { type: 'string', format: 'date-time' },
      },
      to: {
        description: 'The moment after the last one. By default now.',
        schema: { type: 'string', format: 'date-time' },
      },
      step: {
        description: 'Length of a step.',
        schema: { type: 'string', enum: ['minute', 'hour'], default: 'minute' },
      },
    },
    ...{
      answer: 'Throughput',
      answerDescription: 'At most 1,500 points.',
      errors: ['not_found', 'validation_error'],
    },
    example: { step_seconds: 60, points: [[1763717400, 5400, 5210, 3, 812.4]] },
  });

/** Describes the creation of a supplier. */
export const DescribeCreateSupplier = () =>
  OperatorOperation({
    ...{
      tag: 'Suppliers',
      operationId: 'createSupplier',
      summary: 'Create a supplier',
      role: 'admin',
      status: 201,
    },
    description: 'With the status Ongoing. Settings that are absent have their defaults.',
    body: {
      schema: 'CreateSupplierRequest',
      examples: { supplier: { code: 'DEMO', organisation: 'Demo Energy', creation_mode: 'direct' } },
    },
    ...{ answer: 'Supplier', answerDescription: 'The new supplier.', example: supplierExample },
    errors: ['validation_error', 'operation_refused'],
  });

/** Describes a change of settings. */
export const DescribeSetSupplier = () =>
  OperatorOperation({
    ...{ ...supplier, operationId: 'setSupplier', summary: 'Change settings of a supplier', role: 'admin' },
    description: 'Changes the settings that are present and leaves the others. Safe to repeat.',
    body: { schema: 'SupplierSettingsRequest', examples: { settings: { creation_mode: 'staged' } } },
    ...{
      answer: 'Supplier',
      answerDescription: 'The supplier.',
      example: supplierExample,
      errors: SUPPLIER_ERRORS,
    },
  });

/** Describes a change of status. */
export const DescribeSetStatus = () =>
  OperatorOperation({
    ...{
      ...supplier,
      operationId: 'setSupplierStatus',
      summary: 'Set the status of a supplier',
      role: 'operator',
    },
    description: 'Paused and Complete suppliers accept no accounts. Safe to repeat.',
    body: { schema: 'SupplierStatusRequest', examples: { pause: { status: 'Paused' } } },
    ...{
      answer: 'Supplier',
      answerDescription: 'The supplier.',
      example: supplierExample,
      errors: SUPPLIER_ERRORS,
    },
  });
