import { VALIDATION_PROFILES, type ValidationProfile } from '@portage/account-schema';
import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import { getCountries } from 'libphonenumber-js/max';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../usage-error';
import { CellWarnings } from './cell-warnings';
import { CsvFile } from './csv-file';
import type { BookKind } from '../book/book-line';
import { readTotals, type TotalPlan } from './control-totals';
import type { Members } from './member';
import { type LinePlan, PlanReader, sourcesOf } from './plan';
import { Scope, UsedColumns } from './scope';
import { readSources, type SourceSettings } from './source-settings';
import { failAt, isYamlObject, objectAt, textAt, textsAt, type YamlNode, type YamlObject } from './yaml-node';

/** The largest mapping file. */
const MAX_MAPPING_BYTES = 1024 * 1024;

/** The supplier whose rules accounts are checked by. */
export interface SupplierRules {
  readonly profile: ValidationProfile;
  readonly region: string;
  readonly timeZone: string;
}

/** The members of `supplier`. */
export const SUPPLIER_MEMBERS: Members = {
  profile: { schema: { enum: [...VALIDATION_PROFILES] }, description: 'Its profile; core by default.' },
  region: {
    schema: { type: 'string', pattern: '^[A-Z]{2}$' },
    description: 'Its country as two capital letters; GB by default.',
  },
  time_zone: { schema: { type: 'string', minLength: 1 }, description: 'Europe/London by default.' },
};

/** A mapping file whose sources exist and have the columns that it reads. */
export interface Mapping {
  readonly accounts: CsvFile;
  /** The paths of all sources. */
  readonly paths: readonly string[];
  /** The other sources by name, without those that only the book of the other kind has rows of. */
  readonly children: ReadonlyMap<string, CsvFile>;
  /** How a row of the accounts becomes lines of a book of the kind. */
  readonly plans: readonly LinePlan[];
  /** The control totals of the book. */
  readonly totals: readonly TotalPlan[];
  readonly supplier: SupplierRules;
  /** The columns that are named as unused, by source. */
  readonly unused: ReadonlyMap<string, readonly string[]>;
}

/** The parts of a mapping file. */
export const PARTS = ['source', 'supplier', 'account', 'additions', 'totals', 'unused'] as const;

/**
 * Reads a mapping file and the headers of its sources.
 *
 * @throws UsageError that says where the mistake is, also if the mapping has no book of the kind
 */
export async function readMapping(path: string, kind: BookKind = 'accounts'): Promise<Mapping> {
  const root = await readYaml(path);
  try {
    const parts = objectAt(root, '', PARTS, 'source, and account or additions');
    const supplier = readSupplier(parts['supplier']);
    const files = new Map<string, CsvFile>();
    for (const settings of readSources(parts['source'], dirname(resolve(path))))
      files.set(settings.name, await openWatched(settings));
    const [accounts, ...others] = [...files.values()] as [CsvFile, ...CsvFile[]];
    const used = new UsedColumns();
    for (const file of files.values()) useSettings(file, used);
    const plans = readPlans(parts, files, Scope.ofAccount(accounts, used));
    const ofKind = plans[kind] ?? failWithout(kind);
    const allTotals = readTotals(parts['totals'], files, used);
    // A mapping of both has the totals of its accounts: additions are counted line by line.
    const totals = kind === 'accounts' || plans.accounts === undefined ? allTotals : [];
    const read = [
      ...ofKind.flatMap(({ plan }) => sourcesOf(plan)),
      ...totals.map(({ file }) => file.settings.name),
    ];
    const all = Object.values(plans).flatMap((lines) => lines.flatMap(({ plan }) => sourcesOf(plan)));
    const children = others
      .map((file) => [file.settings.name, file] as const)
      .filter(([name]) => read.includes(name) || !all.includes(name));
    return {
      accounts,
      paths: [...files.values()].map(({ settings }) => settings.path),
      children: new Map(children),
      plans: ofKind,
      totals,
      supplier,
      unused: readUnused(parts['unused'], files, used),
    };
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

/** A file whose doubtful cells are counted. */
async function openWatched(settings: SourceSettings): Promise<CsvFile> {
  const file = await CsvFile.open(settings);
  file.warnings = new CellWarnings(settings.file, file.header.columns);
  return file;
}

/** Both are read, so that each column of either is used. */
function readPlans(
  { account, additions }: YamlObject,
  files: ReadonlyMap<string, CsvFile>,
  scope: Scope,
): Partial<Record<BookKind, readonly LinePlan[]>> {
  const reader = new PlanReader(files);
  if (account === undefined && additions === undefined)
    failAt('account', 'Give the fields of the account, or additions.');
  return {
    ...(account !== undefined && { accounts: [reader.readAccount(account, scope)] }),
    ...(additions !== undefined && { additions: reader.readAdditions(additions, scope) }),
  };
}

function failWithout(kind: BookKind): never {
  throw new UsageError(
    kind === 'accounts'
      ? 'It has additions only: give --kind additions.'
      : 'It has no additions: leave out --kind additions, or give them.',
  );
}

async function readYaml(path: string): Promise<YamlNode> {
  try {
    if ((await stat(path)).size > MAX_MAPPING_BYTES)
      throw new UsageError(`${path} is larger than ${MAX_MAPPING_BYTES} bytes.`);
    return load(await readFile(path, 'utf8'), { schema: FAILSAFE_SCHEMA }) as YamlNode;
  } catch (error) {
    if (error instanceof YAMLException) {
      const line = error.mark === undefined ? '' : `, line ${error.mark.line + 1}`;
      throw new UsageError(`${path}${line}: ${error.reason}.`);
    }
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function readSupplier(node: YamlNode | undefined): SupplierRules {
  const given = objectAt(
    node ?? {},
    'supplier',
    Object.keys(SUPPLIER_MEMBERS),
    'an object with profile, region and time_zone',
  );
  const profile = VALIDATION_PROFILES.find((name) => name === (given['profile'] ?? 'core'));
  if (profile === undefined) failAt('supplier.profile', `Allowed here: ${VALIDATION_PROFILES.join(', ')}.`);
  const region = textAt(given['region'] ?? 'GB', 'supplier.region', 'a country');
  if (!getCountries().some((country) => country === region))
    failAt('supplier.region', 'Give a country as two capital letters, such as GB.');
  const timeZone = textAt(given['time_zone'] ?? 'Europe/London', 'supplier.time_zone', 'a time zone');
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format();
  } catch {
    failAt('supplier.time_zone', 'Give a time zone such as Europe/London.');
  }
  return { profile, region, timeZone };
}

function useSettings(file: CsvFile, used: UsedColumns): void {
  const { name, key, order } = file.settings;
  const scope = Scope.ofAccount(file, used);
  scope.use(key, `source.${name}.key`);
  if (order !== undefined) scope.use(order.column, `source.${name}.order`);
}

/** A list of columns. A name without a value, whose columns were all taken out, has none. */
function columnsAt(node: YamlNode | undefined, path: string): string[] {
  return node === undefined || node === '' ? [] : textsAt(node, path, 'a list of columns');
}

/** Every column is mapped or named as unused. */
function readUnused(
  node: YamlNode | undefined,
  files: ReadonlyMap<string, CsvFile>,
  used: UsedColumns,
): ReadonlyMap<string, readonly string[]> {
  const ofAll = isYamlObject(node) ? [] : columnsAt(node, 'unused');
  const bySource = isYamlObject(node) ? objectAt(node, 'unused', [...files.keys()], 'columns by source') : {};
  const all = [...files.values()];
  for (const [index, column] of ofAll.entries())
    if (all.every((file) => file.indexOf(column) === undefined))
      failAt(`unused.${index}`, `No source has a column ${column}.`);
  const missing: string[] = [];
  const unused = new Map<string, string[]>();
  for (const [name, file] of files) {
    const path = `unused.${name}`;
    const own = columnsAt(bySource[name], path);
    for (const [index, column] of own.entries()) {
      if (file.indexOf(column) === undefined)
        failAt(`${path}.${index}`, `${file.settings.file} has no column ${column}.`);
      if (used.has(name, column)) failAt(`${path}.${index}`, `The column ${column} is mapped: leave it out.`);
    }
    const named = new Set([...own, ...ofAll]);
    const notUsed = file.header.columns.filter((column) => !used.has(name, column));
    unused.set(
      name,
      notUsed.filter((column) => named.has(column)),
    );
    for (const column of notUsed) if (!named.has(column)) missing.push(`${column} (${file.settings.file})`);
  }
  for (const [index, column] of ofAll.entries())
    if (![...unused.values()].some((columns) => columns.includes(column)))
      failAt(`unused.${index}`, `The column ${column} is mapped: leave it out.`);
  if (missing.length > 0)
    failAt('unused', `These columns are neither mapped nor named here: ${missing.join(', ')}.`);
  return unused;
}
