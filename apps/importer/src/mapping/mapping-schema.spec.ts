import Ajv from 'ajv';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MappingFolder } from '../../test/mapping-folder';
import { FORMS, PLAIN_FORM } from './form-definitions';
import { REFERENCE_END, REFERENCE_START, withReference } from './forms-reference';
import { mappingSchema } from './mapping-schema';

const ROOT = join(__dirname, '../../../..');

const isValid = new Ajv({ strict: false, inlineRefs: false }).compile(mappingSchema());

let folder: MappingFolder;
beforeEach(() => {
  folder = new MappingFolder();
  folder.write('a.csv', 'NO,A,B\n1,x,y\n');
  folder.write('b.csv', 'NO,C\n1,z\n');
});

const START = `source:
  a: { file: a.csv, key: NO }
  b: { file: b.csv, key: NO }
unused: [A, B, C]
`;

const account = (fields: string) => `${START}account: { external_account_number: NO, ${fields} }\n`;

/** Whether the reader takes the mapping: a mapping that is only wrong about its columns has another message. */
async function isRead(yaml: string): Promise<boolean> {
  try {
    await folder.mapping(yaml);
    return true;
  } catch (error) {
    return /is mapped: leave it out|neither mapped nor named|It has additions only/.test(
      (error as Error).message,
    );
  }
}

describe('The JSON Schema of mapping files', () => {
  it.each([
    account('billing_name: A'),
    account('billing_name: { column: A, default: none }'),
    ...Object.values(FORMS).map(({ example: { yaml } }) =>
      account(
        `billing_name: ${yaml.replaceAll(/\b(TITLE|FORENAME|SURNAME|START|BALANCE|TYPE|TEL|CHANNEL)\b/g, 'A')}`,
      ),
    ),
    account('customers: [{ family_name: A, portfolio_roles: [{ value: ADMIN }] }]'),
    account('customers: [{ portfolio_roles: { each: b, by: C, item: C } }]'),
    account('references: { each: b, by: C, namespace: { value: OLD }, value: C }'),
    account('references: { each: b, match: NO, namespace: { value: OLD }, value: C }'),
    account('billing_address: { structured_street_address: A }'),
    `${account('billing_name: A')}totals: { accounts: { count: a }, readings: { count: b, column: C }, opening_balance: { sum: A, decimal: ",", negate: true } }\n`,
    `${START}additions: [{ notes: { external_account_number: NO, notes: { each: b, body: C } } }]\n`,
    `${START}additions: [{ transactions: { external_account_number: NO, transactions: [{ amount: A }] }, check_previously_added: { value: true } }]\n`,
    `${START.replace('unused: [A, B, C]', 'unused: { a: [A, B], b: }')}account: { external_account_number: NO, metadata: { each: b, key: C } }\n`,
    `source: { a: { file: a.csv, encoding: windows-1252, delimiter: tab, quote: "'", key: "NO,A,B" } }\naccount: { external_account_number: "NO,A,B" }\n`,
    `source:\n  a: { file: a.csv, key: NO }\n  b: { file: b.csv, key: NO, order: { column: C, date: dd/MM/yyyy } }\naccount: { external_account_number: NO }\nsupplier: { profile: gb-energy, region: DE, time_zone: Europe/Berlin }\nunused: { a: [A, B] }\n`,
  ])('accepts what the importer reads: %s', async (yaml) => {
    expect(await isRead(yaml)).toBe(true);
    expect(isValid(load(yaml, { schema: FAILSAFE_SCHEMA }))).toBe(true);
    // As an editor reads it, with numbers and flags.
    expect(isValid(load(yaml))).toBe(true);
  });

  it.each([
    'account: { external_account_number: NO }\n',
    START,
    `${START}account: {}\n`,
    `${START}account: { external_account_number: NO }\nother: x\n`,
    account('billing_nam: A'),
    account('billing_name: { column: A, date: dd/MM/yyyy, decimal: "." }'),
    account('billing_name: { column: A, decimal: x }'),
    account('billing_name: { decimal: "." }'),
    account('billing_name: { column: A, thousands: "," }'),
    account('billing_name: { columns: [] , join: "" }'),
    account('billing_name: { columns: [A] }'),
    account('billing_name: { column: A, values: {} }'),
    account('billing_name: { column: A, phone: gb }'),
    account('billing_name: { value: A, default: B }'),
    account('billing_name: [A]'),
    account('billing_name: ""'),
    account('customers: []'),
    account('customers: [{}]'),
    account('customers: [A]'),
    account('customers: { family_name: A }'),
    account('customers: { each: b }'),
    account('customers: { each: b, item: C, family_name: C }'),
    account('customers: [{ portfolio_roles: { each: b } }]'),
    account('business: { each: b, company_name: A }'),
    `source: {}\naccount: { external_account_number: NO }\n`,
    `source: { A: { file: a.csv, key: NO } }\naccount: { external_account_number: NO }\nunused: [A, B]\n`,
    `source: { a: { file: a.csv } }\naccount: { external_account_number: NO }\nunused: [A, B]\n`,
    `source: { a: { file: a.csv, key: NO, encoding: ebcdic } }\naccount: { external_account_number: NO }\nunused: [A, B]\n`,
    `source: { a: { file: a.csv, key: NO, delimiter: ";;" } }\naccount: { external_account_number: NO }\nunused: [A, B]\n`,
    `source:\n  a: { file: a.csv, key: NO }\n  b: { file: b.csv, key: NO, order: { column: C } }\naccount: { external_account_number: NO }\nunused: [A, B, C]\n`,
    `${account('billing_name: A')}totals: { accounts: A }\n`,
    `${account('billing_name: A')}totals: { opening_balance: { count: a } }\n`,
    `${account('billing_name: A')}totals: { persons: { count: a } }\n`,
    `${account('billing_name: A')}totals: { accounts: { count: a, decimal: "." } }\n`,
    `${START}additions: []\n`,
    `${START}additions: [{ note: { external_account_number: NO } }]\n`,
    `${START}additions: [{ notes: { external_account_number: NO }, transactions: { external_account_number: NO } }]\n`,
    `${START}additions: [{ notes: { external_account_number: NO }, check_previously_added: { value: true } }]\n`,
    `${account('billing_name: A')}supplier: { profile: other }\n`,
    `${account('billing_name: A')}supplier: { currency: GBP }\n`,
    `${START.replace('unused: [A, B, C]', 'unused: A')}account: { external_account_number: NO }\n`,
  ])('refuses what the importer refuses: %s', async (yaml) => {
    expect(await isRead(yaml)).toBe(false);
    expect(isValid(load(yaml, { schema: FAILSAFE_SCHEMA }))).toBe(false);
  });

  it('accepts the mapping of the example', () => {
    expect(isValid(load(readFileSync(join(ROOT, 'examples/mapping/mapping.yaml'), 'utf8')))).toBe(true);
  });

  it('is the one in docs', () => {
    const committed = JSON.parse(readFileSync(join(ROOT, 'docs/mapping.schema.json'), 'utf8')) as unknown;
    expect(committed).toEqual(mappingSchema());
  });
});

describe('The reference of forms in docs/mapping.md', () => {
  it('is that of the definitions', () => {
    const page = readFileSync(join(ROOT, 'docs/mapping.md'), 'utf8');
    expect(page).toContain(REFERENCE_START);
    expect(page).toContain(REFERENCE_END);
    expect(page).toBe(withReference(page));
  });

  it.each([PLAIN_FORM, ...Object.values(FORMS)].map(({ example }) => [example.yaml, example] as const))(
    'has an example that holds: %s',
    async (yaml, { cells, value, refused = [] }) => {
      const [first] = Object.keys(cells);
      const rows = [cells, ...refused.map((cell) => ({ ...cells, [first ?? '']: cell }))];
      const lines = rows.map((row, index) =>
        [index, ...Object.values(row)].map((cell) => `"${cell}"`).join(','),
      );
      folder.write('c.csv', `${['NO', ...Object.keys(cells)].join(',')}\n${lines.join('\n')}\n`);
      const { book, rejected } = await folder.map(
        `source: { c: { file: c.csv, key: NO } }\naccount: { import_supplier: { value: S }, external_account_number: NO, billing_name: ${yaml} }\n`,
      );
      expect(book).toEqual([{ import_supplier: 'S', external_account_number: '0', billing_name: value }]);
      expect(rejected).toBe(refused.length);
    },
  );
});
