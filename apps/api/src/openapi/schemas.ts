import { openApiSchemas } from '@portage/account-schema';
import {
  CREATION_MODES,
  IMPORT_PROCESS_STATUSES,
  IMPORT_SUPPLIER_STATUSES,
  V1_ERROR_FORMATS,
  VALIDATION_PROFILES,
} from '@portage/domain';
import { eventSchemas } from '../events/events.schemas';
import { platformTokenSchemas } from '../platform-token/platform-token.openapi';
import { submissionSchemas } from '../submissions/submissions.schemas';
import { webhookSchemas } from '../webhook-endpoints/webhook-endpoints.schemas';

const error = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    code: { type: 'string', description: 'Machine-readable. It does not change.' },
    detail: { type: 'string', description: 'For people. The wording can change.' },
    domain: { type: 'string', description: 'The subject of the error, if it is about a process.' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    error_count: {
      type: 'integer',
      description:
        'The number of all errors, if not all are listed. The last one of `errors` is then `too_many_errors`.',
    },
  },
};

const fieldError = {
  type: 'object',
  required: ['detail', 'code', 'attr'],
  properties: {
    detail: { type: 'string', description: 'For people. The wording can change.' },
    code: { type: 'string', description: 'Machine-readable. It does not change.' },
    attr: { type: 'string', description: 'Dotted path of the field; list positions start at 0.' },
  },
};

const transactionImportError = {
  type: 'object',
  description: 'The first transaction that cannot be added (contract 4.3).',
  required: ['code', 'detail', 'status', 'error_detail', 'transaction_data'],
  properties: {
    ...error.properties,
    status: { type: 'string', enum: ['TRANSACTION_IMPORT_ERROR'] },
    error_detail: { type: 'string', description: 'The reason, for people.' },
    transaction_data: {
      description:
        'The submitted transaction, with `amount` as text with two decimals. A value that is no object is shown as it was sent.',
    },
  },
};

const paymentInstructionError = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    ...error.properties,
    error_detail: { type: 'string', description: 'The reason, as in errors of transactions.' },
    import_supplier: { type: 'string' },
    external_account_number: { type: 'string' },
    reference: { type: 'string' },
  },
};

const upOrDown = { type: 'string', enum: ['up', 'down'] };
const checks = { database: upOrDown, migrations: upOrDown, queue: upOrDown, backend: { type: 'string' } };

const liveness = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ok'] } },
};

const readiness = {
  type: 'object',
  required: ['status', ...Object.keys(checks)],
  properties: { status: { type: 'string', enum: ['ok', 'degraded'] }, ...checks },
};

const unreadiness = {
  type: 'object',
  required: ['code', 'detail'],
  properties: { code: { type: 'string' }, detail: { type: 'string' }, ...checks },
};

const emptyObject = { type: 'object', description: 'An object without members.', maxProperties: 0 };

const alreadyImportedError = {
  type: 'object',
  required: ['external_account_number', 'platform_account_number', 'non_field_errors'],
  properties: {
    external_account_number: { type: 'string' },
    platform_account_number: { type: 'string' },
    non_field_errors: { type: 'array', items: { type: 'string' } },
  },
};

const importedAccountError = {
  type: 'object',
  description: 'The account has been imported already.',
  required: ['non_field_errors', 'account_id'],
  properties: {
    non_field_errors: {
      type: 'object',
      required: ['detail', 'code'],
      properties: {
        detail: { type: 'string' },
        code: { type: 'string', enum: ['account_import_process_already_imported'] },
      },
    },
    account_id: { type: 'string', description: 'The platform account number.' },
  },
};

const nestedErrors = {
  type: 'object',
  description:
    'Validation errors shaped like the payload, for suppliers with the setting `v1_error_format: fields`: a list of messages at each faulty field, and `non_field_errors` for messages about an object.',
  additionalProperties: true,
};

const processErrorSchema = {
  type: 'object',
  required: ['code', 'detail', 'domain'],
  properties: {
    code: { type: 'string' },
    detail: { type: 'string' },
    domain: { type: 'string', enum: ['import_process'] },
  },
};

const processError = { anyOf: [{ $ref: '#/components/schemas/ProcessError' }, { type: 'null' }] };

const importProcess = {
  type: 'object',
  required: ['status', 'platform_identifier', 'created_at', 'modified_at', 'latest_event', 'latest_error'],
  properties: {
    status: { type: 'string', enum: [...IMPORT_PROCESS_STATUSES] },
    platform_identifier: {
      type: ['string', 'null'],
      description: 'The account number, once the status is PROCESSED.',
    },
    created_at: { type: 'string', format: 'date-time' },
    modified_at: { type: 'string', format: 'date-time' },
    latest_event: {
      type: 'object',
      required: ['event', 'occurred_at', 'data'],
      properties: {
        event: {
          type: 'string',
          enum: ['CREATED', 'PROCESSED', 'ERRORED'].map((event) => `EVENT_ACCOUNT_IMPORT_PROCESS_${event}`),
        },
        occurred_at: { type: 'string', format: 'date-time' },
        data: processError,
      },
    },
    latest_error: processError,
  },
};

const transferStatus = {
  type: 'object',
  required: ['status', 'platform_account_number'],
  properties: {
    status: { type: 'string', enum: ['UNKNOWN', 'COMPLETED', 'IN_PROGRESS'] },
    platform_account_number: { type: 'string', description: 'Empty until an account exists.' },
  },
};

const listItem = {
  type: 'object',
  required: ['external_account_number', 'platform_account_number', 'account_created_at'],
  properties: {
    external_account_number: { type: 'string' },
    platform_account_number: { type: ['string', 'null'] },
    account_created_at: { type: ['string', 'null'], format: 'date-time' },
    status: {
      type: 'string',
      enum: [...IMPORT_PROCESS_STATUSES],
      description: 'With `include=status`.',
    },
    error: {
      anyOf: [{ $ref: '#/components/schemas/ProcessError' }, { type: 'null' }],
      description: 'With `include=error`.',
    },
  },
};

const unsettledDocument = {
  type: 'object',
  required: [
    'external_account_number',
    'platform_account_number',
    'document_path',
    'kind',
    'state',
    'error_code',
    'inspected_at',
  ],
  properties: {
    external_account_number: { type: 'string' },
    platform_account_number: { type: 'string' },
    document_path: { type: 'string', description: 'Below the document root of the supplier.' },
    kind: { type: 'string', enum: ['statement', 'note'] },
    state: { type: 'string', enum: ['MISSING', 'REFUSED'] },
    error_code: { type: ['string', 'null'] },
    inspected_at: { type: ['string', 'null'], format: 'date-time' },
  },
};

const supplierProfileProperties = {
  code: { type: 'string' },
  status: { type: 'string', enum: [...IMPORT_SUPPLIER_STATUSES] },
  region: { type: 'string', description: 'ISO 3166-1 country of phone numbers without a country code.' },
  currency: { type: 'string', description: 'ISO 4217.' },
  time_zone: { type: 'string', description: 'IANA time zone of calendar days.' },
  creation_mode: { type: 'string', enum: [...CREATION_MODES] },
  profile: { type: 'string', enum: [...VALIDATION_PROFILES] },
  document_root: { type: 'string' },
  verify_documents: { type: 'boolean', description: 'Documents must exist when a request names them.' },
  reject_undocumented_fields: { type: 'boolean' },
  send_migration_emails: { type: 'boolean' },
  retain_payload_days: { type: ['integer', 'null'] },
  v1_error_format: { type: 'string', enum: [...V1_ERROR_FORMATS] },
  max_processing_accounts: {
    type: ['integer', 'null'],
    description: 'Staged accounts that are processed at the same time; null: no limit.',
  },
  auto_allocate_operations_team: { type: 'boolean' },
  rule_settings: { type: 'object', additionalProperties: true },
  limits: {
    type: 'object',
    required: ['max_body_bytes', 'max_array_items', 'max_errors'],
    properties: {
      max_body_bytes: { type: 'integer' },
      max_array_items: { type: 'integer' },
      max_errors: { type: 'integer' },
    },
  },
  created_at: { type: 'string', format: 'date-time' },
};

const supplierProfile = {
  type: 'object',
  required: Object.keys(supplierProfileProperties),
  properties: supplierProfileProperties,
};

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const listOf = (required: string[], properties: object) => ({
  type: 'array',
  items: { type: 'object', required, properties },
});
const textList = { type: 'array', items: { type: 'string' } };

const errorCatalogue = {
  type: 'object',
  required: ['error_codes', 'line_codes', 'field_codes', 'fields', 'rules'],
  properties: {
    error_codes: listOf(['code', 'status', 'explanation', 'fix'], {
      ...texts('code', 'explanation', 'fix'),
      status: { type: 'integer', description: 'HTTP status.' },
    }),
    line_codes: {
      ...listOf(['code', 'explanation', 'fix'], texts('code', 'explanation', 'fix')),
      description: 'Of refused lines of an upload, besides the codes of accounts.',
    },
    field_codes: listOf(['code', 'explanation', 'fix'], texts('code', 'explanation', 'fix')),
    fields: listOf(['object', 'field', 'required', 'schema', 'error_codes'], {
      ...texts('object', 'field'),
      required: { type: 'boolean' },
      schema: { type: 'object', additionalProperties: true, description: 'Schema object of OpenAPI.' },
      error_codes: textList,
    }),
    rules: listOf(['code', 'paths', 'explanation', 'fix', 'profiles', 'needs'], {
      ...texts('code', 'explanation', 'fix'),
      paths: textList,
      profiles: textList,
      needs: textList,
    }),
  },
};

const scheduleRequest = {
  type: 'object',
  required: ['payload'],
  properties: {
    payload: { $ref: '#/components/schemas/Account' },
    task_params: { $ref: '#/components/schemas/TaskParams' },
  },
};

/** All schemas of the document. The schemas of accounts are derived from the classes that validate them. */
export function schemas(): Record<string, object> {
  // `WrappedAccount` describes both: the endpoints accept either form.
  const {
    ScheduleAccountRequest: _scheduled,
    ValidateAccountRequest: _validated,
    ...ofBodies
  } = openApiSchemas();
  return {
    Error: error,
    FieldError: fieldError,
    TransactionImportError: transactionImportError,
    PaymentInstructionError: paymentInstructionError,
    Liveness: liveness,
    Readiness: readiness,
    Unreadiness: unreadiness,
    EmptyObject: emptyObject,
    AlreadyImportedError: alreadyImportedError,
    NestedErrors: nestedErrors,
    ImportedAccountError: importedAccountError,
    ProcessError: processErrorSchema,
    ImportProcess: importProcess,
    AccountTransferStatus: transferStatus,
    ListItem: listItem,
    UnsettledDocument: unsettledDocument,
    SupplierProfile: supplierProfile,
    ErrorCatalogue: errorCatalogue,
    WrappedAccount: scheduleRequest,
    ...submissionSchemas,
    ...eventSchemas,
    ...webhookSchemas,
    ...platformTokenSchemas,
    ...ofBodies,
  };
}
