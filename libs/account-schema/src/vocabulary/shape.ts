/** A class of the contract; its decorators define its valid payloads. */
export type ObjectType<T extends object = object> = new () => T;

/**
 * An object whose class is selected by one of its own fields, such as a transaction by `type`.
 * A missing or unknown discriminator is reported at that field.
 */
export interface Union {
  readonly name: string;
  readonly about: string;
  readonly discriminator: string;
  readonly variants: Readonly<Record<string, ObjectType>>;
  /** A class with the discriminator alone, used when no variant is selected. */
  readonly discriminatorOnly: ObjectType;
}

/** A class or a union. */
export type Shape = ObjectType | Union;

/** True for a union, false for a class. */
export function isUnion(shape: Shape): shape is Union {
  return typeof shape !== 'function';
}

/** The classes of a shape: the class itself, or those of a union. */
export function classesOf(shape: Shape): readonly ObjectType[] {
  return isUnion(shape) ? Object.values(shape.variants) : [shape];
}
