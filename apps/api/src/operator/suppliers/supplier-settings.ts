import { type InputReader, readNamedValues } from '../read-input';
import type { ImportSuppliers } from '@portage/importing';

type Settings = Parameters<ImportSuppliers['create']>[2];

const SETTING_NAMES = {
  region: 'region',
  creation_mode: 'creationMode',
  profile: 'profile',
  document_root: 'documentRoot',
  currency: 'currency',
  time_zone: 'timeZone',
  verify_documents: 'verifyDocuments',
  reject_undocumented_fields: 'rejectUndocumentedFields',
  send_migration_emails: 'sendMigrationEmails',
  retain_payload_days: 'retainPayloadDays',
  v1_error_format: 'v1ErrorFormat',
  max_processing_accounts: 'maxProcessingAccounts',
} as const satisfies Record<string, keyof Settings>;

const FLAGS = ['verify_documents', 'reject_undocumented_fields', 'send_migration_emails'];
const COUNTS = ['retain_payload_days', 'max_processing_accounts'];

/** The members of a body that are settings. */
export const SETTING_MEMBERS = [...Object.keys(SETTING_NAMES), 'rule_settings'];

/**
 * The settings in a body, by their names in the use case, which validates their values. Absent ones change nothing.
 * Rule settings are `name=value`, as the command line has them.
 */
export function readSettings(
  reader: InputReader,
  body: Record<string, unknown>,
): { settings: Settings; ruleSettings: string[] } {
  const settings: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(SETTING_NAMES)) {
    const value = body[name];
    if (value === undefined) continue;
    if (COUNTS.includes(name) && value === null) settings[property] = null;
    else if (COUNTS.includes(name)) settings[property] = reader.integer(name, 0, 1_000_000);
    else if (FLAGS.includes(name)) settings[property] = reader.boolean(name);
    else settings[property] = reader.text(name, { isRequired: true, max: 512 });
  }
  const rules = body['rule_settings'];
  return {
    settings,
    ruleSettings: rules === undefined ? [] : readNamedValues(reader, 'rule_settings', rules),
  };
}
