import { maskDetail, maskText, maskValue, pathOfDetail, valueAt } from './masking';

it.each([
  ['maeve@example.org', 'xxxxx@xxxxxxx.xxx'],
  ['NN9 9ZZ', 'xx9 9xx'],
  ['Größe 山田 ٣', 'xxxxx xx 9'],
  ['', ''],
  ['a'.repeat(61), `${'x'.repeat(60)}…`],
])('the text %j is shown as %j', (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

it.each([
  [undefined, 'missing'],
  [null, 'null'],
  [true, 'true'],
  [-12.5, '-99.9 (number)'],
  ['a1', 'x9 (text, 2 characters)'],
  [['a'], 'list of 1'],
  [{ a: 1, b: 2 }, 'object of 2 fields'],
])('the value %j is shown as %j', (value, masked) => {
  expect(maskValue(value)).toBe(masked);
});

describe('a detail', () => {
  it.each([
    ['billing_name: "Maeve" is not valid.', 'billing_name: "xxxxx" is not valid.'],
    ['billing_name: "Maeve" and “B 7” are not valid.', 'billing_name: "xxxxx" xxx “x 9" are not valid.'],
    ['billing_name: Too long. Found "a" Maeve Byrne".', 'billing_name: Too long. Found "x" xxxxx xxxxx".'],
    [
      'billing_name: Too long. Found "" Maeve "" Byrne "".',
      'billing_name: Too long. Found "" xxxxx "" xxxxx "".',
    ],
    ['billing_name: Too long. Found "“Maeve".', 'billing_name: Too long. Found "“xxxxx".'],
    ['billing_name: Too long. Found "”Maeve', 'billing_name: Too long. Found "”xxxxx"'],
    ['billing_name: Too long. Found "Maeve', 'billing_name: Too long. Found "xxxxx"'],
    [
      'signed_at: 2031-02-03T09:00:00Z is in the future.',
      'signed_at: 9999-99-99x99:99:99x is in the future.',
    ],
    ['The components sum to 12.50, not to 13.', 'The components sum to 99.99, not to 99.'],
    ['customers.0.email: maeve@example.org is taken.', 'customers.0.email: xxxxx@xxxxxxx.xxx is taken.'],
    [
      'Repeats payments.1.amount_components.0 of the plan.',
      'Repeats payments.1.amount_components.0 of the plan.',
    ],
    ['Started 3 times without an outcome.', 'Started 3 times without an outcome.'],
    ['Enter a text of 1 to 64 characters.', 'Enter a text of 1 to 64 characters.'],
    [
      'The account data is not valid (billing_name: required, customers: invalid). See /v2/data-import/accounts/validate/.',
      'The account data is not valid (billing_name: required, customers: invalid). See /v2/data-import/accounts/validate/.',
    ],
  ])('%j is shown as %j', (detail, masked) => {
    expect(maskDetail(detail)).toBe(masked);
  });

  it.each(['"', '“', '”', '""', '" “', '"\n"'])('has nothing of a value with the marks %j', (marks) => {
    for (const value of [`${marks}Maeve`, `Maeve${marks}`, `x${marks}Maeve${marks}y`, `Maeve${marks}Byrne`])
      for (const detail of [
        `a.b: Found "${value}".`,
        `"${value}" is not one of "${value}".`,
        `Found "${value}`,
      ])
        expect(maskDetail(detail)).not.toMatch(/Maeve|Byrne/);
  });

  it('has no text of the payload, whether it is quoted or not', () => {
    const payload = { customers: [{ family_name: 'O’Hara (née Byrne)', title: 'Dr', role: 'email' }] };
    expect(maskDetail('customers.0.email: Dr O’Hara (née Byrne) has no email. Send Drums.', payload)).toBe(
      'customers.0.email: xx x’xxxx (xxx xxxxx) has no xxxxx. Send Drums.',
    );
  });
});

it.each([
  ['customers.0.email: Not an e-mail address.', 'customers.0.email'],
  ['The account data is not valid (billing_name: required, customers: invalid).', 'billing_name'],
  ['Another account of this supplier has the same external_account_number.', undefined],
  ['Started 3 times: no outcome.', undefined],
])('the detail %j names the path %j', (detail, path) => {
  expect(pathOfDetail(detail)).toBe(path);
});

it('a path leads to the value, and nowhere outside of the payload', () => {
  const payload = { customers: [{ email: 'a@b' }] };
  expect(valueAt(payload, 'customers.0.email')).toBe('a@b');
  for (const path of ['customers.1.email', 'constructor', 'customers.length.x', 'customers.0.email.0'])
    expect(valueAt(payload, path)).toBeUndefined();
});
