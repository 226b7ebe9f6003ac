/** A class of the contract; its decorators say what a payload of it must look like. */
export type ObjectType<T extends object = object> = new () => T;

/**
 * An object whose class is chosen by one of its own fields, e.g. a transaction by `type`.
 * A payload that lacks the field, or gives it another value, is refused at that field.
 */
export interface Union {
  readonly name: string;
  readonly about: string;
  readonly discriminator: string;
  readonly variants: Readonly<Record<string, ObjectType>>;
  /** What is left when no variant is chosen: a class with the discriminator alone. */
  readonly undecided: ObjectType;
}

export type Shape = ObjectType | Union;

export function isUnion(shape: Shape): shape is Union {
  return typeof shape !== 'function';
}
