/** What every field may say of itself besides its kind. A field is optional unless it says otherwise. */
export interface FieldOptions {
  readonly required?: true;
  /** JSON null may be sent, and is kept. */
  readonly nullable?: true;
  /** Tier of the catalogue; core unless said. The tier chooses rules, the field is known in every profile. */
  readonly tier?: 'gbr';
  /** Still read, but there is a better way: its path where there is one. */
  readonly deprecated?: true | string;
  /** What is assumed when the field is left out. */
  readonly default?: unknown;
  readonly example?: unknown;
  /** Shown in the example of its object although it is optional; for objects and lists of them. */
  readonly inExample?: true;
  /** Name of the operator's list that the value must be in; whether it is, is a rule and not a field check. */
  readonly list?: string;
}

/** What a reader of the documentation learns about a field, beyond its constraints. */
export interface FieldDescription extends FieldOptions {
  readonly about: string;
}

const descriptions = new Map<unknown, Map<string, FieldDescription>>();
const abouts = new Map<unknown, string>();

export function describeField(type: unknown, property: string, description: FieldDescription): void {
  const fields = descriptions.get(type) ?? new Map<string, FieldDescription>();
  descriptions.set(type, fields.set(property, description));
}

/** Every described field of a class, those it inherits first, each in the order of the source. */
export function fieldsOf(type: unknown): ReadonlyMap<string, FieldDescription> {
  const parent: unknown = typeof type === 'function' ? Object.getPrototypeOf(type) : undefined;
  const inherited = typeof parent === 'function' && parent !== Function.prototype ? fieldsOf(parent) : [];
  return new Map([...inherited, ...(descriptions.get(type) ?? [])]);
}

/** Says what a class of the contract stands for. */
export function About(text: string): ClassDecorator {
  return (type) => {
    abouts.set(type, text);
  };
}

export function aboutOf(type: unknown): string {
  return abouts.get(type) ?? '';
}
