import type { INestApplicationContext } from '@nestjs/common';
import { ViewSuppliers } from '@portage/operators';
import {
  CREATION_MODES,
  IMPORT_SUPPLIER_STATUSES,
  ImportSuppliers,
  type ImportSupplierSettings,
  V1_ERROR_FORMATS,
  VALIDATION_PROFILES,
} from '@portage/tenants';
import type { Command } from 'commander';
import { command, group } from '../command';
import { confirm, YES } from '../confirmation';
import { readPages } from './pages';

const COLUMNS = ['code', 'status', 'creation_mode', 'profile', 'region', 'document_root'];

type SupplierOptions = Partial<
  Omit<ImportSupplierSettings, 'retainPayloadDays' | 'maxProcessingAccounts'>
> & {
  retainPayloadDays?: string;
  maxProcessingAccounts?: string;
  organisation: string;
  ruleSetting?: string[];
};

/** Adds the options of all supplier settings. */
function withSettingOptions(definition: Command): Command {
  return definition
    .option('--region <country>', 'ISO country of phone numbers without a country code (GB)')
    .option('--creation-mode <mode>', `${CREATION_MODES.join(', ')} (direct)`)
    .option('--profile <profile>', `${VALIDATION_PROFILES.join(', ')} (core)`)
    .option(
      '--document-root <path>',
      'folder of its documents in the object store (the code of the supplier)',
    )
    .option('--currency <code>', 'ISO currency (GBP)')
    .option('--time-zone <zone>', 'IANA time zone (Europe/London)')
    .option('--verify-documents', 'documents must exist when an account refers to them')
    .option('--no-verify-documents', 'documents can be uploaded later')
    .option('--reject-undocumented-fields', 'undocumented fields are an error')
    .option('--no-reject-undocumented-fields', 'undocumented fields are ignored and listed in a header')
    .option('--rule-setting <name=value...>', 'settings of the account rules; `name=` restores the default')
    .option('--send-migration-emails', 'send customers a welcome e-mail once their account is imported')
    .option('--no-send-migration-emails', 'send no e-mails')
    .option(
      '--retain-payload-days <days>',
      'erase payloads this many days after their account was created, or none to keep them (none)',
    )
    .option(
      '--v1-error-format <format>',
      `form of validation errors of the staging endpoints: ${V1_ERROR_FORMATS.join(', ')} (standard)`,
    )
    .option('--corrections', 'imported accounts can be corrected')
    .option('--no-corrections', 'imported accounts cannot be corrected')
    .option('--reimport-after-erasure', 'the number of an account that was erased can be imported again')
    .option('--no-reimport-after-erasure', 'the number of an account that was erased is refused')
    .option(
      '--max-processing-accounts <count>',
      'staged accounts that are processed at the same time, or none for no limit (none)',
    );
}

/** The settings of the options that are present. An absent option changes nothing. */
function parseSettings(options: SupplierOptions): Partial<ImportSupplierSettings> {
  const { region, creationMode, profile, documentRoot, currency, timeZone } = options;
  const { verifyDocuments, rejectUndocumentedFields, sendMigrationEmails } = options;
  const { corrections, reimportAfterErasure, retainPayloadDays: days } = options;
  const retainPayloadDays = days === undefined ? undefined : parseCount(days);
  const { v1ErrorFormat, maxProcessingAccounts: limit } = options;
  const maxProcessingAccounts = limit === undefined ? undefined : parseCount(limit);
  const all = {
    v1ErrorFormat,
    maxProcessingAccounts,
    region,
    creationMode,
    profile,
    documentRoot,
    currency,
    timeZone,
    verifyDocuments,
    rejectUndocumentedFields,
    sendMigrationEmails,
    corrections,
    reimportAfterErasure,
    retainPayloadDays,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Null for `none`. NaN for text that is not a number, which ImportSuppliers refuses. */
function parseCount(text: string): number | null {
  if (text === 'none') return null;
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

async function settingsOf(app: INestApplicationContext, code: string) {
  return { value: await app.get(ViewSuppliers).settings(code) };
}

/** @throws PortageError `operation_refused` unless no account waits, or the operator types the code at a terminal */
async function confirmCompletion(code: string, views: ViewSuppliers): Promise<void> {
  const { summary } = await views.read(code);
  // Staged accounts wait for a request, and stay as they are.
  const waiting = summary.states.PENDING - summary.states.STAGED;
  if (waiting === 0) return;
  await confirm(
    `Accounts of ${code} that have not begun: ${waiting}. They end with import_supplier_migration_not_ongoing.`,
    'the code of the supplier',
    code,
  );
}

/** `supplier create`, `set`, `set-status`, `list` and `show`. */
export function supplierCommands(): Command {
  return group('supplier', 'Import suppliers and their configuration.', [
    withSettingOptions(
      command('create <code>', 'Create a supplier.', async (app, options: SupplierOptions, code: string) => {
        const { organisation, ruleSetting } = options;
        await app.get(ImportSuppliers).create(code, organisation, parseSettings(options), ruleSetting);
        return settingsOf(app, code);
      }),
    ).requiredOption('--organisation <name>', 'the organisation of the supplier'),
    withSettingOptions(
      command('set <code>', 'Change settings.', async (app, options: SupplierOptions, code: string) => {
        await app.get(ImportSuppliers).set(code, parseSettings(options), options.ruleSetting);
        return settingsOf(app, code);
      }),
    ),
    command(
      'set-status <code> <status>',
      `Set the status: ${IMPORT_SUPPLIER_STATUSES.join(', ')}. Complete refuses the accounts that have not begun.`,
      async (app, { yes }: { yes?: true }, code: string, status: string) => {
        if (status === 'Complete' && !yes) await confirmCompletion(code, app.get(ViewSuppliers));
        await app.get(ImportSuppliers).setStatus(code, status);
        return settingsOf(app, code);
      },
    ).option(...YES),
    command('list', 'List suppliers.', (app) => ({
      value: readPages(async (page) => app.get(ViewSuppliers).list(page)),
      columns: COLUMNS,
    })),
    command(
      'show <code>',
      'Show a supplier with all its settings.',
      async (app, _options: object, code: string) => settingsOf(app, code),
    ),
  ]);
}
