import { type TextFormat } from './text-format';

const BRITISH = /^(?:[A-Z]{2}[0-9]{6}|[0-9]{8})$/;
const SHORT_BRITISH = /^[0-9]{1,7}$/;

/**
 * A company registration number. In Great Britain two letters and six digits, or eight digits with leading
 * zeros that spreadsheets like to drop: these are put back. Other countries' numbers are not checked.
 */
export const companyNumber: TextFormat = {
  name: 'company number',
  code: 'invalid_company_number',
  expected: 'a company number in the format of the country: eight digits, or two letters and six digits',
  example: '01234567',
  read(text, region) {
    if (region !== 'GB' || BRITISH.test(text)) return text;
    const normal = text.length > 100 ? '' : text.replace(/\s+/g, '').toUpperCase();
    const padded = SHORT_BRITISH.test(normal) ? normal.padStart(8, '0') : normal;
    return BRITISH.test(padded) ? padded : undefined;
  },
};
