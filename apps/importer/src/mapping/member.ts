/** A member of an object of the mapping file. The reader and the JSON Schema take it from the same table. */
export interface Member {
  /** Its values as JSON Schema. */
  readonly schema: object;
  readonly description: string;
  readonly isRequired?: boolean;
}

export type Members = Readonly<Record<string, Member>>;

/** A scalar, which the importer reads as the text that is written. */
export const SCALAR = { type: ['string', 'number', 'boolean'], minLength: 1 };

/** The JSON Schema of an object with these members. */
export function objectSchema(members: Members, description?: string): object {
  const required = Object.keys(members).filter((name) => members[name]?.isRequired);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, { schema, description: about }]) => [
        name,
        { ...schema, description: about },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
