import { type FieldDescription } from './field';

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
