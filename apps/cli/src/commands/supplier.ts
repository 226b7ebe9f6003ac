import type { INestApplicationContext } from '@nestjs/common';
import { ViewSuppliers } from '@portage/operators';
import { byColumn, byProperty } from '@portage/platform';
import {
  IMPORT_SUPPLIER_STATUSES,
  ImportSuppliers,
  SUPPLIER_SETTINGS,
  type SupplierSetting,
  type SupplierSettings,
} from '@portage/tenants';
import type { Command } from 'commander';
import { command, group } from '../command';
import { confirm, YES } from '../confirmation';
import { readPages } from './pages';

const COLUMNS = ['code', 'status', 'creation_mode', 'profile', 'region', 'document_root'];

type SettingOptions = Partial<Record<keyof SupplierSettings, string | boolean>> & { ruleSetting?: string[] };

/** Adds the options of all supplier settings. An absent option changes nothing. */
function withSettingOptions(definition: Command): Command {
  for (const [name, setting] of SUPPLIER_SETTINGS) {
    const option = optionOf(name);
    const description = `${setting.description} (${defaultOf(setting)})`;
    if (setting.type === 'text') definition.option(`--${option} <text>`, description);
    else if (setting.type === 'number') definition.option(`--${option} <number>`, description);
    else definition.option(`--${option}`, description).option(`--no-${option}`, `Switches --${option} off.`);
  }
  return definition.option(
    '--rule-setting <name=value...>',
    'Settings of the account rules; `name=` restores the default.',
  );
}

const optionOf = (name: string) => name.replaceAll('_', '-');

function defaultOf({ default: value }: SupplierSetting): string {
  if (value === undefined) return 'the code';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value ?? 'none';
}

/** The table of all settings in docs/cli.md. */
export function supplierSettingsTable(): string {
  const rows = SUPPLIER_SETTINGS.map(
    ([name, setting]) => `| \`--${optionOf(name)}\` | ${defaultOf(setting)} | ${setting.description} |`,
  );
  return ['| option | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The settings among the options, with their numbers. */
export function parseSettings(options: SettingOptions): Partial<SupplierSettings> {
  const values: Record<string, unknown> = byColumn(options);
  for (const [name, { type }] of SUPPLIER_SETTINGS)
    if (type === 'number' && name in values) values[name] = parseCount(String(values[name]));
  return byProperty(values);
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
      command(
        'create <code>',
        'Create a supplier.',
        async (app, options: SettingOptions & { organisation: string }, code: string) => {
          await app
            .get(ImportSuppliers)
            .create(code, options.organisation, parseSettings(options), options.ruleSetting);
          return settingsOf(app, code);
        },
      ),
    ).requiredOption('--organisation <name>', 'the organisation of the supplier'),
    withSettingOptions(
      command('set <code>', 'Change settings.', async (app, options: SettingOptions, code: string) => {
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
