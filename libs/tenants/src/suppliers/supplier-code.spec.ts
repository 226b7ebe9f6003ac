import { buildSupplierError, supplierCodeOf } from './supplier-code';

describe('the supplier code of a body', () => {
  it.each([
    ['LEGACY', 'LEGACY'],
    [7, '7'],
    ['  LEGACY ', 'LEGACY'],
    [' ', undefined],
    [1.5, undefined],
    [2 ** 53, undefined],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
    [true, undefined],
    [['LEGACY'], undefined],
    [{ code: 'LEGACY' }, undefined],
  ])('the code that is sent as %j is %j', (given, code) => {
    expect(supplierCodeOf({ import_supplier: given })).toBe(code);
  });

  it('is not read from the prototype', () => {
    const payload = JSON.parse('{"__proto__":{"import_supplier":"LEGACY"}}') as Record<string, unknown>;
    expect(supplierCodeOf(payload)).toBeUndefined();
  });
});

it('the error of a supplier code says whether it is missing or unknown', () => {
  expect(buildSupplierError(undefined)).toMatchObject({ attr: 'import_supplier', code: 'required' });
  expect(buildSupplierError('X'.repeat(50))).toEqual({
    attr: 'import_supplier',
    code: 'invalid_choice',
    detail: `"${'X'.repeat(40)}" is not an import supplier of your organisation.`,
  });
});
