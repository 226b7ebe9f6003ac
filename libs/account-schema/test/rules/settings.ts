import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type InstanceSettings,
  readReferenceData,
  type ReferenceData,
  References,
  type SchemaContext,
  type SupplierSettings,
  type ValidationProfile,
} from '../../src/index';
import { core } from '../context';

export type Account = Record<string, unknown>;

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(__dirname, path), 'utf8')) as Record<string, unknown>;
}

export function example(name: string): Account {
  return read(`../examples/${name}.json`);
}

/** What must be found in an example, as "attr code". */
export function expectedPairs(name: string): string[] {
  const pairs = read(`${name}.expected.json`) as unknown as { attr: string; code: string }[];
  return pairs.map(({ attr, code }) => `${attr} ${code}`).sort();
}

const file = read('reference-data.json');
const instance = nullsAsUndefined(file.instance as Record<string, unknown>);

/** JSON says null where a setting says undefined: there is none. */
function nullsAsUndefined(settings: Record<string, unknown>): Partial<InstanceSettings> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value ?? undefined]));
}

export function referenceData(): ReferenceData {
  const reading = readReferenceData(file);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.data;
}

/** The operator's settings that the examples were worked out for, with changes. */
export function operatorContext(
  profile: ValidationProfile,
  changes: {
    readonly name?: 'LEGACY_A' | 'LEGACY_B';
    readonly supplier?: Partial<SupplierSettings>;
    readonly instance?: Partial<InstanceSettings>;
    readonly references?: Partial<ReferenceData>;
  } = {},
): SchemaContext {
  const suppliers = file.import_suppliers as Record<string, Partial<SupplierSettings>>;
  return {
    ...core,
    profile,
    rules: {
      supplier: { ...suppliers[changes.name ?? 'LEGACY_A'], ...changes.supplier },
      instance: { ...instance, ...changes.instance },
      references: new References({ ...referenceData(), ...changes.references }),
    },
  };
}
