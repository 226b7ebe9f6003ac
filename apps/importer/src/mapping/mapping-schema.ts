import { accountFields, type FieldType } from './account-fields';
import { FORMS } from './form-definitions';
import { SUPPLIER_MEMBERS } from './mapping';
import { type Members, objectSchema, SCALAR } from './member';
import { EACH_MEMBERS } from './plan';
import { SOURCE_MEMBERS, SOURCE_NAME } from './source-settings';

type ObjectType = Extract<FieldType, { is: 'object' }>;

const COLUMNS = { type: 'array', items: SCALAR };

/**
 * The JSON Schema of mapping files, from the tables that the reader takes its members from and the classes of the
 * contract. docs/mapping.schema.json has it. What depends on the files, such as their columns, is beyond a schema.
 */
export function mappingSchema(): object {
  const schemas = new AccountSchemas();
  const account = schemas.ofObject(accountFields());
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mapping of CSV files to accounts',
    ...objectSchema({
      source: {
        schema: {
          type: 'object',
          propertyNames: { pattern: SOURCE_NAME.source },
          additionalProperties: objectSchema(SOURCE_MEMBERS),
          minProperties: 1,
        },
        description: 'The CSV files by name, that of the accounts first.',
        isRequired: true,
      },
      supplier: {
        schema: objectSchema(SUPPLIER_MEMBERS),
        description: 'The supplier whose rules accounts are checked by.',
      },
      account: { schema: account, description: 'The fields of the account.', isRequired: true },
      unused: {
        schema: { anyOf: [COLUMNS, { type: 'object', additionalProperties: COLUMNS }] },
        description: 'The columns that are not mapped: of each source, or of all.',
      },
    }),
    definitions: schemas.definitions(),
  };
}

/** The schemas of the parts of an account, each once. */
class AccountSchemas {
  private readonly found = new Map<string, object>();

  definitions(): object {
    return {
      value: valueSchema(),
      ...Object.fromEntries([...this.found].sort(([one], [other]) => (one < other ? -1 : 1))),
    };
  }

  ofObject(type: ObjectType, beside: Members = {}): object {
    const { name } = type;
    if (name === undefined) return this.describe(type, beside);
    const key = beside === EACH_MEMBERS ? `${name}.each` : name;
    if (!this.found.has(key)) {
      this.found.set(key, {});
      this.found.set(key, this.describe(type, beside));
    }
    return { $ref: `#/definitions/${key}` };
  }

  private of(type: FieldType): object {
    switch (type.is) {
      case 'object':
        return this.ofObject(type);
      case 'list':
        return {
          anyOf: [{ type: 'array', items: this.of(type.items), minItems: 1 }, this.ofEach(type.items)],
        };
      default: {
        const { description = '' } = type.facts ?? {};
        // Editors show it.
        return { ...(description !== '' && { description }), allOf: [{ $ref: '#/definitions/value' }] };
      }
    }
  }

  private ofEach(items: FieldType): object {
    if (items.is === 'object') return this.ofObject(items, EACH_MEMBERS);
    const item = { schema: this.of(items), description: 'Where each value comes from.', isRequired: true };
    return objectSchema({ ...EACH_MEMBERS, item });
  }

  private describe({ fields }: ObjectType, beside: Members): object {
    const described = objectSchema(beside) as { properties: object; required?: string[] };
    const properties = Object.fromEntries([...fields].map(([name, type]) => [name, this.of(type())]));
    return {
      ...described,
      properties: { ...described.properties, ...properties },
      // An object needs a field besides each, by and match.
      minProperties: (described.required?.length ?? 0) + 1,
    };
  }
}

/** The forms of a value. Each is known by a member, so that only one can fit. */
function valueSchema(): object {
  const forms = Object.values(FORMS).map(({ members, meaning }) => objectSchema(members, meaning));
  return { anyOf: [{ ...SCALAR, description: 'The column.' }, ...forms] };
}
