import type { ImportSupplierEntity, ImportSupplierSettings } from '@portage/database';
import { CREATION_MODES, IMPORT_SUPPLIER_STATUSES, VALIDATION_PROFILES } from '@portage/domain';
import { ImportSuppliers } from '@portage/importing';
import { Command } from 'commander';
import { command, show, type Shown } from '../command';
import { sheet, table } from '../table';
import { reportSupplier } from './supplier-report';

type Options = Partial<Omit<ImportSupplierSettings, 'retainPayloadDays'>> & {
  retainPayloadDays?: string;
  organisation: string;
  ruleSetting?: string[];
  json?: true;
};

function configurable(described: Command): Command {
  return described
    .option('--region <country>', 'ISO country whose phone numbers need no country code (GB)')
    .option('--creation-mode <mode>', `${CREATION_MODES.join(', ')} (direct)`)
    .option('--profile <profile>', `${VALIDATION_PROFILES.join(', ')} (core)`)
    .option('--document-root <path>', 'where its documents lie in the object store')
    .option('--currency <code>', 'ISO currency (GBP)')
    .option('--time-zone <zone>', 'IANA time zone (Europe/London)')
    .option('--verify-documents', 'documents must exist when they are named')
    .option('--no-verify-documents', 'documents may come later')
    .option('--reject-undocumented-fields', 'undocumented fields are an error')
    .option('--no-reject-undocumented-fields', 'undocumented fields are ignored and named in a header')
    .option(
      '--rule-setting <name=value...>',
      'what the account rules need to know; `name=` takes the default',
    )
    .option('--send-migration-emails', 'customers get a welcome e-mail once their account is imported')
    .option('--no-send-migration-emails', 'no e-mails')
    .option(
      '--retain-payload-days <days>',
      'erase what was sent so many days after its account was created; none keeps it (none)',
    );
}

/** The settings that were given: an option that was left out changes nothing. */
function settingsIn(options: Options): Partial<ImportSupplierSettings> {
  const { region, creationMode, profile, documentRoot, currency, timeZone } = options;
  const { verifyDocuments, rejectUndocumentedFields, sendMigrationEmails } = options;
  const { retainPayloadDays: days } = options;
  const retainPayloadDays = days === undefined ? undefined : daysOf(days);
  const all = {
    ...{ region, creationMode, profile, documentRoot, currency, timeZone },
    ...{ verifyDocuments, rejectUndocumentedFields, sendMigrationEmails, retainPayloadDays },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** NaN where it is neither, which is refused as any other wrong number. */
function daysOf(text: string): number | null {
  if (text === 'none') return null;
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

const shape = (supplier: ImportSupplierEntity) => ({
  code: supplier.code,
  status: supplier.status,
  region: supplier.region,
  creation_mode: supplier.creationMode,
  profile: supplier.profile,
  document_root: supplier.documentRoot,
  currency: supplier.currency,
  time_zone: supplier.timeZone,
  verify_documents: supplier.verifyDocuments,
  reject_undocumented_fields: supplier.rejectUndocumentedFields,
  send_migration_emails: supplier.sendMigrationEmails,
  retain_payload_days: supplier.retainPayloadDays,
  rule_settings: supplier.ruleSettings,
  created_at: supplier.createdAt,
  modified_at: supplier.modifiedAt,
});

const shown = (supplier: ImportSupplierEntity): Shown => ({
  json: shape(supplier),
  text: sheet(shape(supplier)),
});

export function supplierCommands(): Command {
  return new Command('supplier')
    .description('Import suppliers and their configuration.')
    .addCommand(
      configurable(
        command('create <code>', 'Create a supplier.').requiredOption(
          '--organisation <name>',
          'whose supplier it is',
        ),
      ).action(async (code: string, options: Options) =>
        show(options.json ?? false, async (app) =>
          shown(
            await app
              .get(ImportSuppliers)
              .create(code, options.organisation, settingsIn(options), options.ruleSetting),
          ),
        ),
      ),
    )
    .addCommand(
      configurable(command('set <code>', 'Change the settings that are given.')).action(
        async (code: string, options: Options) =>
          show(options.json ?? false, async (app) =>
            shown(await app.get(ImportSuppliers).set(code, settingsIn(options), options.ruleSetting)),
          ),
      ),
    )
    .addCommand(
      command('set-status <code> <status>', `Set the status: ${IMPORT_SUPPLIER_STATUSES.join(', ')}.`).action(
        async (code: string, status: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => shown(await app.get(ImportSuppliers).setStatus(code, status))),
      ),
    )
    .addCommand(
      command('list', 'List suppliers.').action(async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const all = (await app.get(ImportSuppliers).list()).map(shape);
          return {
            json: all,
            text: table(
              ['supplier', 'status', 'creation mode', 'profile', 'region'],
              all.map((one) => [one.code, one.status, one.creation_mode, one.profile, one.region]),
              'There is no supplier yet. Create one with: supplier create <CODE> --organisation <name>',
            ),
          };
        }),
      ),
    )
    .addCommand(
      command('show <code>', 'Show a supplier with all its settings.').action(
        async (code: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => shown(await app.get(ImportSuppliers).show(code))),
      ),
    )
    .addCommand(
      command('report <code>', 'Show where its migration stands: counts, errors, pace, time left.')
        .option('--csv <file>', 'write the accounts that ended with an error to a file instead')
        .action(reportSupplier),
    );
}
