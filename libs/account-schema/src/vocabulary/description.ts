import type { CodeList } from '../rules/operator/references';
import type { Amount } from './amounts';

/** The tier of what only the British energy market has. Without a tier, a field is of the core. */
type Tier = 'gbr';

/** Options of every field. A field is optional unless `required` is set. */
export interface FieldOptions {
  readonly required?: true;
  /** Accepts JSON null, which is stored. */
  readonly nullable?: true;
  /** By default that of the class. The tier selects rules; the field exists in every profile. */
  readonly tier?: Tier;
  /** Still accepted but superseded; the value is the path of its replacement if there is one. */
  readonly deprecated?: true | string;
  /** The value that is assumed if the field is left out. */
  readonly default?: unknown;
  readonly example?: unknown;
  /** Set for an amount of money: its unit and its sign, which end the description. */
  readonly amount?: Amount;
  /** Includes the optional field in the example of its object; for objects and lists of objects. */
  readonly inExample?: true;
  /** Name of the operator's list that contains the permitted values. Checked by a rule, not as a field check. */
  readonly list?: CodeList;
}

/** The documentation of a field, besides its constraints. */
export interface FieldDescription extends FieldOptions {
  readonly description: string;
}

const fieldDescriptions = new Map<unknown, Map<string, FieldDescription>>();
const typeDescriptions = new Map<unknown, { text: string; tier?: Tier }>();

/** Records the documentation of a field. */
export function describeField(type: unknown, property: string, description: FieldDescription): void {
  const fields = fieldDescriptions.get(type) ?? new Map<string, FieldDescription>();
  fieldDescriptions.set(type, fields.set(property, description));
}

/** The described fields of a class in source order, inherited fields first. */
export function fieldsOf(type: unknown): ReadonlyMap<string, FieldDescription> {
  const parent: unknown = typeof type === 'function' ? Object.getPrototypeOf(type) : undefined;
  const inherited = typeof parent === 'function' && parent !== Function.prototype ? fieldsOf(parent) : [];
  const fields = new Map([...inherited, ...(fieldDescriptions.get(type) ?? [])]);
  const tier = typeDescriptions.get(type)?.tier;
  return tier ? new Map([...fields].map(([name, field]) => [name, { ...field, tier }])) : fields;
}

/** Describes a class of the contract in the generated documentation. `tier` is that of all its fields. */
export function About(text: string, options: { tier?: Tier } = {}): ClassDecorator {
  return (type) => {
    typeDescriptions.set(type, { text, ...options });
  };
}

/** The description of a class, or an empty text. */
export function aboutOf(type: unknown): string {
  return typeDescriptions.get(type)?.text ?? '';
}
