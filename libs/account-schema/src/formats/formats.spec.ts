import fc from 'fast-check';
import {
  companyNumber,
  deliveryPointIdentifier,
  electricityMeterSerialNumber,
  email,
  gasMeterSerialNumber,
  isMpan,
  isMprn,
  mpan,
  mpanOrMprn,
  mprn,
  portfolioNumber,
  readPostcode,
  smartDeviceIdentifier,
  taxYear,
} from './formats';
import { commonNumberReader, parseWithLibrary, phoneNumber } from './phone-number';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 3_000);

describe('an e-mail address', () => {
  it.each([
    'm.aldous@example.org',
    'a+b_c-d@sub.example.co.uk',
    'A@B.DE',
    `${'a'.repeat(64)}@example.org`,
    "o'neil@example.org",
    'ä@example.org',
    '"a b"@example.org',
  ])('%s is accepted', (text) => {
    expect(email.read(text, 'GB')).toBe(text);
  });

  it.each([
    'a',
    '@b.org',
    'a@b',
    'a..b@c.org',
    '.a@c.org',
    'a.@c.org',
    'a@-c.org',
    'a@c-.org',
    'a@c.o',
    'a@c.o1',
    'a b@c.org',
    'm\u200baldous@example.org',
    'm\u00adaldous@example.org',
    'maldous\u202e@example.org',
    'maldous@exam\u200bple.org',
    'maldous\u3000x@example.org',
    'maldous\u00a0x@example.org',
    'maldous\u2800@example.org',
    'maldous@mail.example\u3002org',
    'maldous@mail\uff0eexample.org',
    'maldous\uff0ex@example.org',
  ])('is not %j', (text) => {
    expect(email.read(text, 'GB')).toBeUndefined();
  });

  it('has one spelling', () => {
    expect(email.read('mu\u0308ller@example.org', 'GB')).toBe('m\u00fcller@example.org');
    expect(email.read('\u5c71\u7530@\u4f8b\u3048.\u65e5\u672c', 'GB')).toBe(
      '\u5c71\u7530@\u4f8b\u3048.\u65e5\u672c',
    );
  });
});

describe('a phone number', () => {
  it('accepted by the fast path is converted like the library does', () => {
    const digits = (length: number) =>
      fc.string({
        unit: fc.constantFrom(...Array.from('0123456789')),
        minLength: length - 2,
        maxLength: length,
      });
    const regions: [string, string[]][] = [
      ['GB', ['07', '01', '02', '+447', '+441', '+442', '+4407', '00447']],
      ['US', ['2', '1212', '+1212', '+1']],
      ['FR', ['06', '01', '+336', '+331']],
      ['DE', ['015', '030', '+4915', '+4930']],
      ['AU', ['04', '02', '+614', '+612']],
      ['IT', ['3', '06', '+393', '+3906']],
      ['NZ', ['02', '09', '+642']],
      ['JP', ['090', '03', '+8190']],
    ];
    const numbers = fc.constantFrom(...regions).chain(([region, starts]) =>
      fc.record({
        region: fc.constant(region),
        digits: fc.tuple(fc.constantFrom(...starts), digits(9)).map(([start, rest]) => start + rest),
        gaps: fc.array(fc.nat(13), { maxLength: 4 }),
        gap: fc.constantFrom(' ', '-'),
        isAreaInBrackets: fc.boolean(),
      }),
    );
    const read = { plain: 0, grouped: 0, 'in brackets': 0 };
    fc.assert(
      fc.property(numbers, ({ region, digits: plain, gaps, gap, isAreaInBrackets }) => {
        const grouped = gaps.reduce((text, at) => `${text.slice(0, at)}${gap}${text.slice(at)}`, plain);
        const number = isAreaInBrackets ? grouped.replace(/^\d+(?=\D)/, '($&)') : grouped;
        const common = commonNumberReader(region)?.(number);
        if (common === undefined) return;
        read[number.startsWith('(') ? 'in brackets' : number === plain ? 'plain' : 'grouped'] += 1;
        expect([region, number, common]).toEqual([region, number, parseWithLibrary(number, region)]);
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(...Object.values(read))).toBeGreaterThan(RUNS / 300);
  });

  it.each([
    ['01212345678', 'GB', '+441212345678'],
    ['0121 234-5678', 'GB', '+441212345678'],
    ['1212345678', 'GB', '+441212345678'],
    ['+33 6 12 34 56 78', 'GB', '+33612345678'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['0044 7400 123456', 'GB', '+447400123456'],
    ['\u202a+44 121 234 5678\u202c', 'GB', '+441212345678'],
    ['\u200e0121\u200b2345678', 'GB', '+441212345678'],
    ['tel:+44-121-234-5678', 'GB', '+441212345678'],
    ['TEL:01212345678', 'GB', '+441212345678'],
  ])('%s in %s is %s', (text, region, expected) => {
    expect(phoneNumber.read(text, region)).toBe(expected);
  });

  it.each([
    ['abcde', 'GB'],
    ['07700900123', 'GB'],
    ['01212345678 ext 5', 'GB'],
    ['call 01212345678', 'GB'],
    ['01212345678', 'XX'],
    ['0121234567', 'GB'],
    ['tel:', 'GB'],
    ['tel:01212345678;ext=5', 'GB'],
    ['sip:01212345678', 'GB'],
  ])('is not %s in %s', (text, region) => {
    expect(phoneNumber.read(text, region)).toBeUndefined();
  });
});

describe('a postcode', () => {
  it.each([
    ['NN99 9ZZ', 'GB', 'NN99 9ZZ'],
    ['nn999zz', 'GB', 'NN99 9ZZ'],
    [' n1  9gu', 'GB', 'N1 9GU'],
    ['gir0aa', 'GB', 'GIR 0AA'],
    ['k1a0b1', 'CA', 'K1A 0B1'],
    ['12345-6789', 'US', '12345-6789'],
    ['anything  at all', 'XX', 'ANYTHING AT ALL'],
  ])('%s in %s is %s', (text, country, expected) => {
    expect(readPostcode(text, country)).toBe(expected);
  });

  it.each([
    ['NN99', 'GB'],
    ['9ZZ', 'GB'],
    ['NN99 9Z', 'GB'],
    ['1234', 'US'],
  ])('is not %s in %s', (text, country) => {
    expect(readPostcode(text, country)).toBeUndefined();
  });

  it.each([
    ['N1 9GU', 'GB'],
    ['D02 X285', 'IE'],
    ['12345', 'US'],
    ['12345-6789', 'US'],
    ['K1A 0B1', 'CA'],
    ['2000', 'AU'],
    ['6011', 'NZ'],
    ['10115', 'DE'],
    ['75001', 'FR'],
    ['28001', 'ES'],
    ['00118', 'IT'],
    ['1012 AB', 'NL'],
    ['1000', 'BE'],
    ['1010', 'AT'],
    ['8001', 'CH'],
    ['1050', 'DK'],
    ['0150', 'NO'],
    ['111 22', 'SE'],
    ['00-950', 'PL'],
    ['1000-205', 'PT'],
    ['100-0001', 'JP'],
  ])('%s in %s is one, but not with a digit more', (text, country) => {
    expect([text, `0${text}`, `${text}0`].map((given) => readPostcode(given, country))).toEqual([
      text,
      undefined,
      undefined,
    ]);
  });
});

it.each([
  ['a delivery point', deliveryPointIdentifier, 'NN999ZZ1A'],
  ['a portfolio', portfolioNumber, 'P-0A1B2C3D'],
  ['a smart device', smartDeviceIdentifier, '00-0b-6B-FF-12-34-56-78'],
  ['a company', companyNumber, 'SC123456'],
  ['a tax year', taxYear, '2023/24'],
])('the text for %s has nothing before or after it', (_what, format, text) => {
  expect([text, `.${text}`, `${text}.`].map((given) => format.read(given, 'GB'))).toEqual([
    text,
    undefined,
    undefined,
  ]);
});

describe('a company number', () => {
  it.each([
    ['01234567', '01234567'],
    ['1234567', '01234567'],
    ['sc 123456', 'SC123456'],
  ])('%s is %s in Great Britain', (text, expected) => {
    expect(companyNumber.read(text, 'GB')).toBe(expected);
  });

  it('is checked in Great Britain only', () => {
    expect(companyNumber.read('HRB 12', 'GB')).toBeUndefined();
    expect(companyNumber.read('HRB 12', 'DE')).toBe('HRB 12');
  });
});

describe('a supply point', () => {
  it('has check digits in Great Britain', () => {
    const mpans = ['1000000000110', '2012345678906'];
    const mprns = ['9900010107', '012310'];
    const wrongMpans = ['1000000000111', '100000000011', '100000000011a', 'b2012345678906', '20123456789060'];
    const wrongMprns = ['9900010108', '12345', '99000101071', '98765432110', 'g9900010107'];
    expect([...mpans, ...wrongMpans].filter(isMpan)).toEqual(mpans);
    expect([...mprns, ...wrongMprns].filter(isMprn)).toEqual(mprns);
    expect(mpan.read('NMI-1', 'GB')).toBeUndefined();
    const all = [...mpans, ...mprns, 'NMI-1'];
    expect(all.filter((text) => mpanOrMprn.read(text, 'GB') !== undefined)).toEqual([...mpans, ...mprns]);
  });

  it('may be any text elsewhere', () => {
    expect([mpan.read('NMI-1', 'AU'), mprn.read('NMI-1', 'AU')]).toEqual(['NMI-1', 'NMI-1']);
  });
});

describe('a serial number of a meter', () => {
  it.each([
    // As in flows of the industry.
    ['F75A 00802', true],
    ['S95105287', true],
    ['L85A 28596', true],
    ['Z21A004410', true],
    ['F75A  0080', false],
    ['F75A 008021', false],
    ['F75A-00802', false],
  ])('%s of electricity: %s', (text, valid) => {
    expect(electricityMeterSerialNumber.read(text, 'GB')).toBe(valid ? text : undefined);
  });

  it.each([
    ['E6S 00991 87', true],
    ['M016 A01234 12', true],
    ['M016 A01234 123', false],
    ['E6S-0099187', false],
  ])('%s of gas: %s', (text, valid) => {
    expect(gasMeterSerialNumber.read(text, 'GB')).toBe(valid ? text : undefined);
  });
});

describe('a tax year', () => {
  it.each([
    ['2018/19', true],
    ['1999/00', true],
    ['2018/20', false],
    ['2018-19', false],
    ['18/19', false],
  ])('%s: %s', (text, valid) => {
    expect(taxYear.read(text, 'GB') !== undefined).toBe(valid);
  });
});
