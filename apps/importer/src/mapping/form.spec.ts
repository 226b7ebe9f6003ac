import { dayReader } from './day-form';
import { decimalReader } from './decimal-form';
import { phoneReader } from './phone-form';

describe('A form of days', () => {
  it.each([
    ['dd/MM/yyyy', '05/07/2023', '2023-07-05'],
    ['d.M.yyyy', '5.7.2023', '2023-07-05'],
    ['yyyyMMdd', '20230705', undefined],
    ['yyyy-MM-dd', '2023-07-05', '2023-07-05'],
    ['dd-MM-yy', '05-07-69', '2069-07-05'],
    ['dd-MM-yy', '05-07-70', '1970-07-05'],
    ['dd/MM/yyyy', '5/7/2023', undefined],
    ['dd/MM/yyyy', '31/02/2023', undefined],
    ['dd/MM/yyyy', '29/02/2024', '2024-02-29'],
    ['dd/MM/yyyy', '07/13/2023', undefined],
    ['dd/MM/yyyy', '05/07/2023 00:00', undefined],
    ['dd/MM/yyyy', '05.07.2023', undefined],
    ['dd.MM.yyyy 00:00:00', '05.07.2023 00:00:00', '2023-07-05'],
    ['dd.MM.yyyy 00:00:00', '05.07.2023 23:00:00', undefined],
    ['d.M.yyyy', '5x7x2023', undefined],
  ])('%s reads %s as %s', (form, text, day) => {
    if (form === 'yyyyMMdd') expect(() => dayReader(form, 'date')).toThrow('date: Give a form with one each');
    else expect(dayReader(form, 'date')(text)).toBe(day);
  });

  it.each(['dd/MM', 'dd/mm/yyyy', 'dd/MM/yyyy dd', 'HH dd/MM/yyyy', ''])(
    'has one day, one month and one year: %s',
    (form) => {
      expect(() => dayReader(form, 'date')).toThrow('date: Give a form with one each');
    },
  );
});

describe('A form of numbers', () => {
  const german = { decimal: ',', thousands: '.', negate: false };
  const plain = { decimal: '.', thousands: undefined, negate: false };
  it.each([
    [german, '1.234,50', '1234.50'],
    [german, '1234,50', '1234.50'],
    [german, '-1.234.567', '-1234567'],
    [german, '+12,00', '12.00'],
    [german, '007,5', '7.5'],
    [german, '0', '0'],
    [german, '10.5', undefined],
    [german, '1.23,4', undefined],
    [german, ',5', undefined],
    [german, '5,', undefined],
    [german, '12,00-', undefined],
    [german, '1e3', undefined],
    [german, '£12', undefined],
    [plain, '12345678901234567890.1234567890123456789', '12345678901234567890.1234567890123456789'],
    [plain, '1,234.5', undefined],
    [{ ...plain, negate: true }, '12.30', '-12.30'],
    [{ ...plain, negate: true }, '-12.30', '12.30'],
    [{ ...plain, negate: true }, '0.00', '0.00'],
    [plain, '-0.00', '0.00'],
    [{ ...plain, thousands: ' ' }, '1 234.5', '1234.5'],
    [{ ...plain, thousands: "'" }, "1'234.5", '1234.5'],
  ])('%j reads %s as %s', (format, text, number) => {
    expect(decimalReader(format, 'balance')(text)).toBe(number);
  });

  it('needs two different characters that are known', () => {
    expect(() => decimalReader({ ...plain, decimal: ';' }, 'balance')).toThrow(
      "balance.decimal: Give '.' or ','.",
    );
    for (const thousands of ['.', ']', ''])
      expect(() => decimalReader({ ...plain, thousands }, 'balance')).toThrow('balance.thousands: ');
  });
});

describe('A phone number', () => {
  it.each([
    ['07400 123456', '+447400123456'],
    ['(0740) 0123 456', '+447400123456'],
    ['+33 6 12 34 56 78', '+33612345678'],
    ['0044 7400 123456', '+447400123456'],
    ['12345', undefined],
    ['call 07400 123456', undefined],
    ['07400 123456 ext. 5', undefined],
  ])('%s is read as %s', (text, number) => {
    expect(phoneReader('GB', 'mobile')(text)).toBe(number);
  });

  it('needs a country', () => {
    expect(() => phoneReader('UK', 'mobile')).toThrow('mobile: Give a country as two capital letters');
  });
});
