import { THOUSANDS } from './decimal-form';
import { type Member, type Members, SCALAR } from './member';

/** A form of a value, as it is written in the mapping file. */
export interface FormDefinition {
  readonly members: Members;
  /** For the reference in docs/mapping.md. */
  readonly meaning: string;
  readonly example: FormExample;
}

/** A form in YAML, with cells and the value that it makes of them; undefined for a cell that it does not read. */
export interface FormExample {
  readonly yaml: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly value: string;
  /** Cells that are errors. */
  readonly refused?: readonly string[];
}

const column: Member = { schema: SCALAR, description: 'The column.', isRequired: true };
const fallback: Member = { schema: SCALAR, description: 'The text if the cells are empty.' };

/** How numbers are written. */
export const DECIMAL_MEMBERS: Members = {
  decimal: {
    schema: { enum: ['.', ','] },
    description: 'The character before decimals.',
    isRequired: true,
  },
  thousands: {
    schema: { enum: THOUSANDS },
    description: 'The character that may stand between groups of three digits.',
  },
  negate: {
    schema: { type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] },
    description: 'true changes the sign.',
  },
};

/** The text of a cell, which is written as the name of its column alone. */
export const PLAIN_FORM: Omit<FormDefinition, 'members'> = {
  meaning: 'The text of the cell',
  example: { yaml: 'NAME', cells: { NAME: ' Zoë Aldous ' }, value: 'Zoë Aldous' },
};

/** The other forms, by the member that each is known by. The first one that a form has is taken. */
export const FORMS: Readonly<Record<string, FormDefinition>> = {
  value: {
    members: { value: { schema: SCALAR, description: 'The same for every account.', isRequired: true } },
    meaning: 'The same for every account',
    example: { yaml: '{ value: DIRECT }', cells: {}, value: 'DIRECT' },
  },
  columns: {
    members: {
      columns: {
        schema: { type: 'array', items: SCALAR, minItems: 1 },
        description: 'The columns.',
        isRequired: true,
      },
      join: {
        schema: { type: ['string', 'number', 'boolean'] },
        description: 'The text between cells that are not empty.',
        isRequired: true,
      },
      default: fallback,
    },
    meaning: 'The cells that are not empty, with the text between them',
    example: {
      yaml: "{ columns: [TITLE, FORENAME, SURNAME], join: ' ' }",
      cells: { TITLE: 'Dr', FORENAME: '', SURNAME: 'Finch' },
      value: 'Dr Finch',
    },
  },
  date: {
    members: {
      column,
      date: {
        schema: { type: 'string', minLength: 1 },
        description: 'The form of days: one each of dd or d, MM or M, yyyy or yy, such as dd/MM/yyyy.',
        isRequired: true,
      },
      default: fallback,
    },
    meaning:
      'A day. The parts are `dd` or `d`, `MM` or `M`, `yyyy` or `yy` (1970 to 2069), one of each, and what stands between and after them, such as ` 00:00:00`. `dd` and `MM` need two digits',
    example: {
      yaml: '{ column: START, date: dd/MM/yyyy }',
      cells: { START: '05/07/2023' },
      value: '2023-07-05',
      refused: ['5/7/2023', '31/02/2023'],
    },
  },
  decimal: {
    members: {
      column,
      ...DECIMAL_MEMBERS,
      default: fallback,
    },
    meaning:
      'A number as exact decimal text. `thousands` is the character that may stand between groups of three digits; `negate` changes the sign',
    example: {
      yaml: "{ column: BALANCE, decimal: ',', thousands: '.', negate: true }",
      cells: { BALANCE: '-1.234,50' },
      value: '1234.50',
      refused: ['10.5', '1e3'],
    },
  },
  values: {
    members: {
      column,
      values: {
        schema: { type: 'object', additionalProperties: SCALAR, minProperties: 1 },
        description: 'The values by the text of the cell.',
        isRequired: true,
      },
      default: fallback,
    },
    meaning: "The value of the cell's text. Another text is an error",
    example: {
      yaml: '{ column: TYPE, values: { D: DOMESTIC, B: BUSINESS } }',
      cells: { TYPE: 'B' },
      value: 'BUSINESS',
      refused: ['X'],
    },
  },
  phone: {
    members: {
      column,
      phone: {
        schema: { type: 'string', pattern: '^[A-Z]{2}$' },
        description: 'The country of numbers without +, as two capital letters.',
        isRequired: true,
      },
      default: fallback,
    },
    meaning: 'A valid phone number, as E.164. Numbers without `+` are those of the country',
    example: {
      yaml: '{ column: TEL, phone: GB }',
      cells: { TEL: '(0740) 0123 456' },
      value: '+447400123456',
      refused: ['12345'],
    },
  },
  column: {
    members: { column, default: fallback },
    meaning: 'The text of the cell, or another text if it is empty. All forms with columns take `default`',
    example: { yaml: '{ column: CHANNEL, default: DIRECT }', cells: { CHANNEL: '' }, value: 'DIRECT' },
  },
};
