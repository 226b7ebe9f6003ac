import { buildCatalogue } from './catalogue';

/** Codes of whole bodies and lists, which no constraint of a field has. */
const OF_BODIES = ['empty', 'max_nesting', 'not_a_dict', 'too_many_errors', 'unknown_field'];

it('the catalogue explains each code that a field reports, and no other', () => {
  const { fields, field_codes: explained } = buildCatalogue();
  const reported = new Set([...OF_BODIES, ...fields.flatMap(({ error_codes: codes }) => codes)]);
  expect(explained.map(({ code }) => code).toSorted()).toEqual([...reported].toSorted());
});

it.each([
  [
    'metadata_has_duplicate_keys',
    ['core', 'gb-energy'],
    [],
    'Correct `metadata` or `customers.<i>.metadata`;',
  ],
  ['psr_invalid_industry_code', ['gb-energy'], [], 'Correct `customers.<i>.psr.<j>.elec_industry_code` or'],
  [
    'operations_team_should_be_provided',
    ['gb-energy'],
    ['supplier: auto_allocate_operations_team'],
    'Send `operations_team_name`.',
  ],
  [
    'operations_team_name_does_not_exist',
    ['core', 'gb-energy'],
    ['reference data: operations_teams'],
    "Send a value of the operator's list at `operations_team_name`,",
  ],
])(
  'the rule %s is of the profiles %j, needs %j, and a breach is corrected so: %s',
  (code, profiles, needs, fix) => {
    const rule = buildCatalogue().rules.find((one) => one.code === code);
    expect(rule).toMatchObject({ profiles, needs, fix: expect.stringContaining(fix) as string });
  },
);

it('the catalogue has what is required, where a rule is broken, and a correction for each warning', () => {
  const { fields, rules, warnings } = buildCatalogue();
  const isRequired = (name: string) =>
    fields.find(({ object, field }) => object === 'Account' && field === name)?.required;
  expect(['import_supplier', 'billing_email'].map(isRequired)).toEqual([true, false]);
  expect(rules.find(({ code }) => code === 'metadata_has_duplicate_keys')?.paths).toEqual([
    'metadata',
    'customers.<i>.metadata',
  ]);
  expect(warnings.find(({ code }) => code === 'date_of_birth_in_future')).toMatchObject({
    paths: ['customers.<i>.date_of_birth', 'business.users.<i>.date_of_birth'],
    fix: 'Correct the year, or leave the date out.',
  });
});
