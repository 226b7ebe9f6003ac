import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstanceSettings, SupplierSettings } from '../../src/rules/operator/settings';
import { readReferenceData, type ReferenceData } from '../../src/rules/operator/reference-data';
import { References } from '../../src/rules/operator/references';
import type { SchemaContext, ValidationProfile } from '../../src/context';
import { core } from '../context';

/** An account as plain JSON. */
export type Account = Record<string, unknown>;

function read(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(__dirname, path), 'utf8')) as Record<string, unknown>;
}

/** The example account of this name. */
export function example(name: string): Account {
  return read(`../examples/${name}.json`);
}

/** The expected errors of an example, as "attr code". */
export function expectedPairs(name: string): string[] {
  const pairs = read(`${name}.expected.json`) as unknown as { attr: string; code: string }[];
  return pairs.map(({ attr, code }) => `${attr} ${code}`).sort();
}

const file = read('reference-data.json');
const instance = nullsAsUndefined(file.instance as Record<string, unknown>);

/** Converts null in JSON to undefined, which means "not set" in settings. */
function nullsAsUndefined(settings: Record<string, unknown>): Partial<InstanceSettings> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value ?? undefined]));
}

/** The operator's lists that the examples are based on. */
export function referenceData(): ReferenceData {
  const reading = readReferenceData(file);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.data;
}

/** The operator's settings that the examples are based on, with changes. */
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
