import { openApiSchemas } from '@portage/account-schema';
import { IMPORT_PROCESS_STATUSES } from '@portage/domain';
import { platformTokenSchemas } from '../platform-token/platform-token.openapi';

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

const processError = {
  type: 'object',
  nullable: true,
  required: ['code', 'detail', 'domain'],
  properties: {
    code: { type: 'string' },
    detail: { type: 'string' },
    domain: { type: 'string', enum: ['import_process'] },
  },
};

const importProcess = {
  type: 'object',
  required: ['status', 'platform_identifier', 'created_at', 'modified_at', 'latest_event', 'latest_error'],
  properties: {
    status: { type: 'string', enum: [...IMPORT_PROCESS_STATUSES] },
    platform_identifier: {
      type: 'string',
      nullable: true,
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
    platform_account_number: { type: 'string', nullable: true },
    account_created_at: { type: 'string', format: 'date-time', nullable: true },
  },
};

const scheduleRequest = {
  type: 'object',
  required: ['payload'],
  properties: {
    payload: { $ref: '#/components/schemas/Account' },
    task_params: {
      type: 'object',
      properties: {
        is_dry_run: {
          type: 'boolean',
          default: false,
          description: 'Perform the creation and roll it back.',
        },
        schedule_window_start: {
          type: 'string',
          anyOf: [{ format: 'date-time' }, { format: 'date' }],
          nullable: true,
          description: 'Earliest start. It must not be in the past. A date is the start of that day.',
        },
        schedule_window_end: {
          type: 'string',
          anyOf: [{ format: 'date-time' }, { format: 'date' }],
          nullable: true,
          description:
            'A process that has not been started by then is cancelled. By default four days after the start.',
        },
      },
    },
  },
};

/** All schemas of the document. The schemas of accounts are derived from the classes that validate them. */
export function schemas(): Record<string, object> {
  return {
    Error: error,
    FieldError: fieldError,
    ImportProcess: importProcess,
    AccountTransferStatus: transferStatus,
    ListItem: listItem,
    WrappedAccount: scheduleRequest,
    ...platformTokenSchemas,
    ...openApiSchemas(),
  };
}
