import type { AccountLookups } from '../../src/rules/operator/lookups';
import { checkDatabaseRules } from '../../src/rules/check-database-rules';
import { readReferenceData, REFERENCE_LISTS } from '../../src/rules/operator/reference-data';
import { References } from '../../src/rules/operator/references';
import { validateAccount } from '../../src/validate';
import { core } from '../context';
import { referenceData } from './settings';

describe('an operator’s file of lists', () => {
  it('is read list by list, and other keys are ignored', () => {
    const reading = readReferenceData({ today: '2026-01-15', operations_teams: ['North desk'] });
    expect(reading).toEqual({ ok: true, data: { operations_teams: ['North desk'] } });
  });

  it('is rejected with all problems and their paths', () => {
    const reading = readReferenceData({
      operations_teams: ['North desk', ''],
      ledger_types: [{ code: 'MAIN' }, 'SERVICES'],
      products: [{ ...referenceData().products?.[0], available_from: '2021-02-30', kind: 'wild' }],
      business_detail_keys: [{ key: 'vat_number', type: 'string', check: '(' }],
      product_characteristics: { sales_channel: 'BROKER' },
    });
    expect(reading.ok ? [] : reading.problems).toEqual([
      'ledger_types.0.billable: is missing',
      'ledger_types.1: enter an object with code, billable',
      'products.0.kind: choose one of fixed, variable, tracker',
      'products.0.available_from: enter a day as YYYY-MM-DD',
      'operations_teams.1: enter a text of at most 256 visible characters, in the form NFC and without spaces around it',
      'business_detail_keys.0.check: is not a valid regular expression',
      'product_characteristics.sales_channel: enter a list',
    ]);
  });

  it.each([[null], [[]], ['text']])('is rejected if it is %j', (json) => {
    expect(readReferenceData(json).ok).toBe(false);
  });
});

describe('the lists', () => {
  it('return undefined if they are not configured, and reject everything if they are empty', () => {
    expect(new References({}).has('operations_teams', 'x')).toBeUndefined();
    expect(new References({ operations_teams: [] }).has('operations_teams', 'x')).toBe(false);
    for (const list of REFERENCE_LISTS) expect(new References({}).isConfigured(list)).toBe(false);
  });

  it('identify a tariff by its supply type, with its product', () => {
    const references = new References(referenceData());
    expect(references.tariff('GAS', 'G-VAR')?.product.code).toBe('HOME-VAR');
    expect(references.tariff('ELECTRICITY', 'G-VAR')).toBeUndefined();
  });

  it('do not contain the names of inherited properties', () => {
    const references = new References(referenceData());
    expect(references.has('product_characteristics', 'constructor')).toBe(false);
    expect(references.entry('product_characteristics', 'constructor')).toBeUndefined();
  });
});

describe('an unknown code', () => {
  const rules = { references: new References(referenceData()) };
  const identity = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };
  const detailsOf = (more: object) => {
    const result = validateAccount({ ...identity, ...more }, { ...core, rules });
    return result.ok ? [] : result.errors.map(({ code, detail }) => [code, detail]);
  };

  it('an unknown operations team, campaign or ledger is refused with the valid ones', () => {
    expect(
      detailsOf({
        operations_team_name: 'Nort desk',
        account_campaigns: [{ slug: 'frist-wave' }],
        ledgers: [{ ledger_code: 'MIAN', ledger_balance: '0.00' }],
      }),
    ).toEqual([
      [
        'operations_team_name_does_not_exist',
        'There is no operations team called "Nort desk". Valid: "North desk", "Trade desk".',
      ],
      ['campaign_not_found', 'There is no campaign "frist-wave". Valid: "first-wave".'],
      ['ledger_code_does_not_exist', 'There is no ledger type "MIAN". Valid: "MAIN", "SERVICES".'],
    ]);
  });

  it('an unknown tariff is refused with those of its supply type', () => {
    const point = {
      supply_type: 'GAS',
      identifier: '2000000006',
      mpid: 'XSUP',
      supply_start_date: '2021-03-01',
    };
    const agreements = [{ tariff_code: 'GVAR', effective_from: '2021-03-01' }];
    const address = { supply_address1: '1 Weir', meter_points: [{ ...point, agreements }] };
    expect(detailsOf({ supply_addresses: [address] })).toContainEqual([
      'tariff_code_not_found',
      expect.stringMatching(/^There is no tariff "GVAR" for gas\. Valid: "G-VAR"/),
    ]);
  });
});

describe('the database', () => {
  const refuse = (): never => {
    throw new Error('There is nothing to ask.');
  };
  const lookups: AccountLookups = {
    accountReferencesInUse: refuse,
    caisReferencesInUse: refuse,
    chargedPeriods: refuse,
    missingFiles: refuse,
    rolesHeldBy: refuse,
  };

  it('is not queried for an account without relevant values', async () => {
    const result = validateAccount(
      { import_supplier: 'A', external_account_number: '1', customers: [{}] },
      core,
    );
    if (!result.ok) throw new Error('The account is valid.');
    expect(await checkDatabaseRules(result.value, core, lookups)).toEqual([]);
  });
});
