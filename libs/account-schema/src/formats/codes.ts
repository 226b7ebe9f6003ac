import { patternFormat, type TextFormat } from './text-format';

/** Identifier of an address in the national register. */
export const deliveryPointIdentifier = patternFormat({
  name: 'delivery point identifier',
  code: 'invalid_delivery_point_identifier',
  expected: 'capital letters and digits only',
  example: 'NN999ZZ1A',
  pattern: /^[A-Z0-9]+$/,
});

/** Number of a broker's portfolio. */
export const portfolioNumber = patternFormat({
  name: 'portfolio number',
  code: 'invalid_portfolio_number',
  expected: 'P- followed by eight capital letters or digits, such as P-0A1B2C3D',
  example: 'P-0A1B2C3D',
  pattern: /^P-[A-Z0-9]{8}$/,
});

/** Address of a smart device: eight octets. */
export const smartDeviceIdentifier = patternFormat({
  name: 'smart device identifier',
  code: 'invalid_smart_device_id',
  expected: 'eight two-digit hexadecimal octets joined by hyphens, such as 00-0B-6B-FF-12-34-56-78',
  example: '00-0B-6B-FF-12-34-56-78',
  pattern: /^[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){7}$/,
  profile: 'gb-energy',
});

/**
 * Serial number of an electricity meter in the British market, in either case: data item J0004 of the Data Transfer
 * Catalogue, CHAR(10), which the flows about meters and readings (D0010, D0149, D0150) have with a blank inside, such as
 * `F75A 00802`.
 */
export const electricityMeterSerialNumber = patternFormat({
  name: 'meter serial number',
  code: 'invalid_meter_serial_number',
  expected: 'up to 10 letters and digits, with single spaces between them',
  example: 'Z21A004410',
  pattern: /^(?=.{1,10}$)[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/,
  profile: 'gb-energy',
});

/** Serial number of a gas meter in the British market, in either case, also as it is printed: in groups. */
export const gasMeterSerialNumber = patternFormat({
  name: 'meter serial number',
  code: 'invalid_meter_serial_number',
  expected: 'up to 14 letters and digits, with single spaces between them',
  example: 'E6S0099187',
  pattern: /^(?=.{1,14}$)[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/,
  profile: 'gb-energy',
});

/** A tax year such as 2018/19; the second part is the following year. */
export const taxYear: TextFormat = {
  name: 'tax year',
  code: 'incorrect_format_for_tax_year',
  expected: 'a tax year written YYYY/YY whose second part is one year on, such as 2023/24',
  example: '2023/24',
  profile: 'gb-energy',
  read(text) {
    if (!/^[0-9]{4}\/[0-9]{2}$/.test(text)) return undefined;
    return (Number(text.slice(0, 4)) + 1) % 100 === Number(text.slice(5)) ? text : undefined;
  },
};
