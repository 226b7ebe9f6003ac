import { openApiSchemas } from '@portage/account-schema';
import { eventSchemas } from '../events/events.schemas';
import { platformTokenSchemas } from '../platform-token/platform-token.openapi';
import { submissionSchemas } from '../submissions/submissions.schemas';
import { webhookSchemas } from '../webhook-endpoints/webhook-endpoints.schemas';

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

/** All schemas of the document. The schemas of accounts are derived from the classes that validate them. */
export function schemas(): Record<string, object> {
  // `WrappedAccount` describes both: the endpoints accept either form.
  const {
    ScheduleAccountRequest: _scheduled,
    ValidateAccountRequest: _validated,
    ...ofBodies
  } = openApiSchemas();
  return {
    Liveness: liveness,
    Readiness: readiness,
    Unreadiness: unreadiness,
    ...submissionSchemas,
    ...eventSchemas,
    ...webhookSchemas,
    ...platformTokenSchemas,
    ...ofBodies,
  };
}
