import type { TextFormat } from './text-format';

const BRITISH_COMPANY_NUMBER = /^(?:[A-Z]{2}[0-9]{6}|[0-9]{8})$/;
const WITHOUT_LEADING_ZEROS = /^[0-9]{1,7}$/;

/**
 * A company registration number. In Great Britain two letters and six digits, or eight digits; leading zeros that
 * a spreadsheet dropped are restored. Numbers of other countries are not checked.
 */
export const companyNumber: TextFormat = {
  name: 'company number',
  code: 'invalid_company_number',
  expected: 'a company number in the format of the country: eight digits, or two letters and six digits',
  example: '01234567',
  read(text, region) {
    if (region !== 'GB' || BRITISH_COMPANY_NUMBER.test(text)) return text;
    const normal = text.length > 100 ? '' : text.replace(/\s+/g, '').toUpperCase();
    const padded = WITHOUT_LEADING_ZEROS.test(normal) ? normal.padStart(8, '0') : normal;
    return BRITISH_COMPANY_NUMBER.test(padded) ? padded : undefined;
  },
};
