import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  NotesRequest,
  PaymentInstructionRequest,
  StatementsRequest,
  TransactionsRequest,
} from '../../src/contract/requests';
import type { SchemaContext } from '../../src/context';
import { validateAccount, validateBody } from '../../src/validate';
import { core, gbEnergy } from '../context';
import { type Account, example, expectedPairs, operatorContext } from './settings';

function pairs(account: Account, context: SchemaContext): string[] {
  const result = validateAccount(account, context);
  return result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`).sort();
}

describe('the example accounts, checked by all rules', () => {
  it.each([
    ['01-domestic-dual-fuel', 'gb-energy', 'LEGACY_A'],
    ['02-minimal', 'core', 'LEGACY_B'],
    ['03-business-two-addresses', 'gb-energy', 'LEGACY_A'],
    ['04-unknown-occupier', 'gb-energy', 'LEGACY_A'],
  ] as const)('%s is valid under %s', (name, profile, supplier) => {
    expect(pairs(example(name), operatorContext(profile, { name: supplier }))).toEqual([]);
    expect(pairs(example(name), operatorContext('core', { name: supplier }))).toEqual([]);
  });

  it.each(['01-domestic-dual-fuel', '03-business-two-addresses', '04-unknown-occupier'])(
    '%s is valid without configuration by the operator',
    (name) => {
      expect(pairs(example(name), gbEnergy)).toEqual([]);
    },
  );

  it('02 only lacks its billing address under gb-energy', () => {
    const context = operatorContext('gb-energy', { name: 'LEGACY_B' });
    expect(pairs(example('02-minimal'), context)).toEqual(['billing_address1 billing_address_not_provided']);
  });

  it.each(['05-ten-broken-rules', '06-broken-account-rules'])('%s breaks exactly its ten rules', (name) => {
    expect(pairs(example(name), operatorContext('gb-energy'))).toEqual(expectedPairs(name));
  });

  it('reports field checks and rules together, in the order of the payload', () => {
    const result = validateAccount(example('05-ten-broken-rules'), operatorContext('gb-energy'));
    expect(result.ok ? [] : result.errors.map(({ attr }) => attr)).toEqual([
      'customers.0.landline',
      'customers.0.email',
      'supply_addresses.0.meter_points.0.dr_in_progress',
      'supply_addresses.0.meter_points.0.eac_history',
      'supply_addresses.0.supply_delivery_point_identifier',
      'payment_schedules.0.frequency',
      'notes.0.body',
      'statements.0.statement_path',
      'account_campaigns.0.slug',
      'warm_home_discount.0.tax_year',
    ]);
  });
});

describe('the core profile', () => {
  const identity = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };

  it('accepts an account with only its identifying fields', () => {
    expect(pairs(identity, core)).toEqual([]);
    expect(pairs(identity, operatorContext('core'))).toEqual([]);
  });

  it('accepts customers with only a landline', () => {
    const account = { ...identity, customers: [{ landline: '01212345678' }] };
    expect(pairs(account, core)).toEqual([]);
    expect(pairs(account, operatorContext('core'))).toEqual([]);
  });

  it('accepts the whole sample book without configuration by the operator', () => {
    const book = readFileSync(join(__dirname, '../../../../examples/book.ndjson'), 'utf8');
    const results = book
      .trimEnd()
      .split('\n')
      .map((line) => {
        try {
          const body = JSON.parse(line) as Account & { payload?: Account };
          return pairs(body.payload ?? body, core);
        } catch {
          return ['parse_error'];
        }
      });
    expect(results.filter((found) => found.length === 0)).toHaveLength(200);
    expect(results.filter((found) => found.length > 1)).toEqual([]);
  });
});

it('The part of the sample book for gb-energy is complete under that profile', () => {
  const book = readFileSync(join(__dirname, '../../../../examples/book-gb-energy.ndjson'), 'utf8');
  const found = book
    .trimEnd()
    .split('\n')
    .map((line) => pairs(JSON.parse(line) as Account, gbEnergy));
  expect(found).toEqual(Array.from({ length: 24 }, () => []));
});

describe('the example bodies of additions, checked by all rules', () => {
  it.each([
    ['notes', NotesRequest],
    ['transactions', TransactionsRequest],
    ['historical-statements', StatementsRequest],
    ['payment-instruction', PaymentInstructionRequest],
  ])('%s are valid', (name, type) => {
    const body = example(`post-import/${name}`);
    for (const profile of ['core', 'gb-energy'] as const)
      expect(validateBody<object>(type, body, operatorContext(profile))).toMatchObject({ ok: true });
  });

  it('statements that are sent after the import need no document', () => {
    const body = example('post-import/historical-statements') as { statements: Account[] };
    for (const statement of body.statements) delete statement.statement_path;
    expect(validateBody(StatementsRequest, body, operatorContext('gb-energy'))).toMatchObject({ ok: true });
  });
});
