import { ADDITION_KINDS } from '../book/book-line';
import { AMOUNTS, MEASURES } from '../book/expected';
import { bodyFields, type FieldType } from './account-fields';
import { COUNT_MEMBERS, SUM_MEMBERS } from './control-totals';
import { FORMS } from './form-definitions';
import { type PARTS, SUPPLIER_MEMBERS } from './mapping';
import { type Member, type Members, objectSchema, SCALAR } from './member';
import { EACH_MEMBERS, OPTIONS } from './plan';
import { SOURCE_MEMBERS, SOURCE_NAME } from './source-settings';

type ObjectType = Extract<FieldType, { is: 'object' }>;

/** A list of columns, or nothing. */
const COLUMNS = { anyOf: [{ type: 'array', items: SCALAR }, { enum: [null, ''] }] };

/**
 * The JSON Schema of mapping files, from the tables that the reader takes its members from and the classes of the
 * contract. docs/mapping.schema.json has it. What depends on the files, such as their columns, is beyond a schema.
 */
export function mappingSchema(): object {
  const schemas = new BodySchemas();
  const parts: Readonly<Record<(typeof PARTS)[number], Member>> = {
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
    account: {
      schema: schemas.ofObject(bodyFields('account')),
      description: 'The fields of the account.',
    },
    additions: {
      schema: {
        type: 'array',
        items: { anyOf: ADDITION_KINDS.map((kind) => schemas.ofAddition(kind)) },
        minItems: 1,
      },
      description: 'The lines of a book of additions, each with one kind.',
    },
    totals: {
      schema: {
        ...objectSchema(Object.fromEntries(MEASURES.map((measure) => [measure, totalMember(measure)]))),
      },
      description: 'The control totals of the files.',
    },
    unused: {
      schema: { anyOf: [COLUMNS, { type: 'object', additionalProperties: COLUMNS }] },
      description: 'The columns that are not mapped: of each source, or of all.',
    },
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mapping of CSV files to accounts and additions',
    ...objectSchema(parts),
    anyOf: [{ required: ['account'] }, { required: ['additions'] }],
    definitions: schemas.definitions(),
  };
}

function totalMember(measure: (typeof MEASURES)[number]): Member {
  const sum = objectSchema(SUM_MEMBERS);
  const schema = AMOUNTS.includes(measure) ? sum : { anyOf: [sum, objectSchema(COUNT_MEMBERS)] };
  return { schema, description: `The total ${measure}: the sum of a column or the number of rows.` };
}

/** The schemas of the parts of accounts and additions, each once. */
class BodySchemas {
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

  ofAddition(kind: (typeof ADDITION_KINDS)[number]): object {
    const fields = {
      schema: this.ofObject(bodyFields(kind)),
      description: 'The fields of the addition.',
      isRequired: true,
    };
    const flag = { schema: { $ref: '#/definitions/value' }, description: 'A parameter, true or false.' };
    const options = kind === 'transactions' ? OPTIONS.map((option) => [option, flag] as const) : [];
    return objectSchema({ [kind]: fields, ...Object.fromEntries(options) });
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
