import type { INestApplicationContext } from '@nestjs/common';
import { type SupplierSettingsView, ViewSuppliers } from '@portage/operators';
import {
  CREATION_MODES,
  IMPORT_SUPPLIER_STATUSES,
  ImportSuppliers,
  type ImportSupplierSettings,
  V1_ERROR_FORMATS,
  VALIDATION_PROFILES,
} from '@portage/tenants';
import { Command } from 'commander';
import { command, show } from '../command';
import { confirmText } from '../confirmation';
import { readPages } from '../list-output';
import { sheet, table } from '../table';
import { reportSupplier } from './supplier-report';

type SupplierOptions = Partial<
  Omit<ImportSupplierSettings, 'retainPayloadDays' | 'maxProcessingAccounts'>
> & {
  retainPayloadDays?: string;
  maxProcessingAccounts?: string;
  organisation: string;
  ruleSetting?: string[];
  json?: true;
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
    .option(
      '--max-processing-accounts <count>',
      'staged accounts that are processed at the same time, or none for no limit (none)',
    );
}

/** The settings of the options that are present. An absent option changes nothing. */
function parseSettings(options: SupplierOptions): Partial<ImportSupplierSettings> {
  const { region, creationMode, profile, documentRoot, currency, timeZone } = options;
  const { verifyDocuments, rejectUndocumentedFields, sendMigrationEmails } = options;
  const { corrections, retainPayloadDays: days } = options;
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
    retainPayloadDays,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Null for `none`. NaN for text that is not a number, which ImportSuppliers refuses. */
function parseCount(text: string): number | null {
  if (text === 'none') return null;
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

/** Runs a command about a supplier, and prints all its settings. */
async function showSupplier(
  code: string,
  { json }: { json?: true },
  work?: (suppliers: ImportSuppliers, app: INestApplicationContext) => Promise<unknown>,
): Promise<void> {
  await show(json ?? false, async (app) => {
    await work?.(app.get(ImportSuppliers), app);
    const settings = await app.get(ViewSuppliers).settings(code);
    return { json: settings, text: sheet(settings) };
  });
}

/**
 * `supplier set-status`. Complete refuses the accounts that have not begun, and so asks for confirmation if there are
 * any, unless `--yes` is given.
 */
async function setStatus(
  code: string,
  status: string,
  { yes, ...options }: { yes?: true; json?: true },
): Promise<void> {
  await showSupplier(code, options, async (suppliers, app) => {
    if (status === 'Complete' && !yes) await confirmCompletion(code, app.get(ViewSuppliers));
    await suppliers.setStatus(code, status);
  });
}

/** @throws PortageError `operation_refused` unless no account waits, or the operator types the code at a terminal */
async function confirmCompletion(code: string, views: ViewSuppliers): Promise<void> {
  const { summary } = await views.read(code);
  // Staged accounts wait for a request, and stay as they are.
  const waiting = summary.states.PENDING - summary.states.STAGED;
  if (waiting === 0) return;
  await confirmText(
    `Accounts of ${code} that have not begun: ${waiting}. They end with import_supplier_migration_not_ongoing.`,
    'the code of the supplier',
    code,
    'The status was not changed.',
  );
}

async function listSuppliers({ json }: { json?: true }): Promise<void> {
  await show(json ?? false, async (app) => {
    const views = app.get(ViewSuppliers);
    const all: SupplierSettingsView[] = [];
    for await (const page of readPages(async (request) => views.list(request)))
      for (const supplier of page) all.push(supplier);
    return {
      json: all,
      text: table(
        ['supplier', 'status', 'creation mode', 'profile', 'region', 'document root'],
        all.map((row) => [
          row.code,
          row.status,
          row.creation_mode,
          row.profile,
          row.region,
          row.document_root,
        ]),
        'There is no supplier yet. Create one with: supplier create <CODE> --organisation <name>',
      ),
    };
  });
}

/** `supplier create`, `set`, `set-status`, `list`, `show` and `report`. */
export function supplierCommands(): Command {
  return new Command('supplier')
    .description('Import suppliers and their configuration.')
    .addCommand(
      withSettingOptions(
        command('create <code>', 'Create a supplier.').requiredOption(
          '--organisation <name>',
          'the organisation of the supplier',
        ),
      ).action(async (code: string, options: SupplierOptions) =>
        showSupplier(code, options, async (suppliers) =>
          suppliers.create(code, options.organisation, parseSettings(options), options.ruleSetting),
        ),
      ),
    )
    .addCommand(
      withSettingOptions(command('set <code>', 'Change settings.')).action(
        async (code: string, options: SupplierOptions) =>
          showSupplier(code, options, async (suppliers) =>
            suppliers.set(code, parseSettings(options), options.ruleSetting),
          ),
      ),
    )
    .addCommand(
      command('set-status <code> <status>', `Set the status: ${IMPORT_SUPPLIER_STATUSES.join(', ')}.`)
        .option('--yes', 'do not ask for confirmation')
        .action(setStatus),
    )
    .addCommand(command('list', 'List suppliers.').action(listSuppliers))
    .addCommand(
      command('show <code>', 'Show a supplier with all its settings.').action(
        async (code: string, options: { json?: true }) => showSupplier(code, options),
      ),
    )
    .addCommand(
      command('report <code>', 'Show the progress of its migration: counts, errors, throughput, time left.')
        .option('--csv <file>', 'write the accounts with errors to a file instead')
        .action(reportSupplier),
    );
}
