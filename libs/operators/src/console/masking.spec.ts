import { maskText, maskValue, valueAt } from './masking';

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

it('a path leads to the value, and nowhere outside of the payload', () => {
  const payload = { customers: [{ email: 'a@b' }], note: null };
  expect(valueAt(payload, 'customers.0.email')).toBe('a@b');
  for (const path of [
    'customers.1.email',
    'constructor',
    'customers.length.x',
    'customers.0.email.0',
    'note.x',
  ])
    expect(valueAt(payload, path)).toBeUndefined();
});
