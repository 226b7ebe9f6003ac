import type { Report } from '../rules/engine/rule';
import { isGiven } from '../rules/terms/is-given';
import { quote } from '../rules/terms/quote';
import { type Warning, customWarning, valueWarning } from './warning';

/** Warnings about text and numbers that a program has changed on the way to a book: a wrong encoding, a spreadsheet. */
export const DAMAGED_TEXT_WARNINGS: readonly Warning[] = [
  valueWarning({
    code: 'text_decoded_wrongly',
    at: {
      person: ['given_name', 'family_name', 'salutation', 'label'],
      account: [
        'billing_name',
        'billing_sub_name',
        'billing_attention_of',
        'billing_address1',
        'billing_address2',
        'billing_address3',
        'billing_address4',
        'billing_address5',
      ],
      business: ['company_name'],
      supplyAddress: [
        'supply_address1',
        'supply_address2',
        'supply_address3',
        'supply_address4',
        'supply_address5',
      ],
      address: ['street_address', 'dependent_locality', 'locality', 'administrative_area'],
      note: ['body'],
    },
    reason:
      'Text in UTF-8 that was read as Windows-1252 becomes MÃ¼ller, and letters that are lost become ? or �.',
    mend: 'read the text in its own encoding, and send it again.',
    breach: (text, _facts, subject) => {
      // A question mark ends sentences in notes.
      const isDamaged = MISREAD.test(text) || (!('body' in subject) && LOST_LETTER.test(text));
      return isDamaged && `The text ${quote(text)} seems to be decoded wrongly.`;
    },
  }),
  valueWarning({
    code: 'identifier_in_scientific_notation',
    at: {
      account: ['external_account_number', 'external_identifier', 'dd_reference'],
      supplyAddress: ['property_external_identifier'],
      meterPoint: ['identifier'],
      meter: ['meter_serial_number'],
      transaction: ['transaction_id'],
      statement: ['statement_id', 'number'],
      note: ['external_id'],
      debt: ['cais_reference'],
      paymentInstruction: ['reference', 'customer_reference'],
    },
    reason: 'Spreadsheets show long numbers as 1.23457E+15, and the digits that are left out are lost.',
    mend: 'format the column as text, and send the whole number.',
    breach: (text) =>
      SCIENTIFIC.test(text) && `The identifier ${quote(text)} is a number in scientific notation.`,
  }),
  customWarning({
    code: 'industry_code_of_other_width',
    at: {
      electricityMeterPoint: [
        'ssc',
        'configuration_periods.<i>.ssc',
        'configuration_periods.<i>.llf',
        'eac_history.<i>.tpr',
      ],
      electricityMeter: ['registers.<i>.tpr'],
      priorityServicesRecord: ['elec_industry_code', 'gas_industry_code'],
    },
    reason:
      'Codes have a fixed number of digits, and spreadsheets remove the leading zeros. Great Britain only.',
    mend: 'send the code with its leading zeros.',
    checks: {
      electricityMeterPoint(point, { region }, report) {
        if (region !== 'GB') return;
        reportWidth(point.ssc, 'ssc', SSC, report);
        for (const [i, period] of (point.configuration_periods ?? []).entries()) {
          reportWidth(period.ssc, `configuration_periods.${i}.ssc`, SSC, report);
          reportWidth(period.llf, `configuration_periods.${i}.llf`, LLF, report);
        }
        for (const [i, { tpr }] of (point.eac_history ?? []).entries())
          reportWidth(tpr, `eac_history.${i}.tpr`, TPR, report);
      },
      electricityMeter({ registers }, { region }, report) {
        if (region !== 'GB') return;
        for (const [i, { tpr }] of (registers ?? []).entries())
          reportWidth(tpr, `registers.${i}.tpr`, TPR, report);
      },
      priorityServicesRecord(record, { region }, report) {
        if (region !== 'GB') return;
        for (const field of ['elec_industry_code', 'gas_industry_code'] as const)
          reportWidth(record[field], field, NEED, report);
      },
    },
  }),
];

/** The first byte of a letter of Latin scripts in UTF-8, and a second one, as Windows-1252 or ISO 8859-1 reads them. */
const MISREAD = /[ÂÃÄÅ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|\ufffd/;
const LOST_LETTER = /\p{L}\?\p{L}|(?:^|\s)\?\p{L}/u;

const SCIENTIFIC = /^\d(?:[.,]\d+)?E\+?\d{1,3}$/i;

/** What a code is, how it is written, and its form. */
interface FixedWidth {
  readonly name: string;
  readonly form: RegExp;
  readonly width: string;
}

const SSC: FixedWidth = { name: 'standard settlement configuration', form: /^\d{4}$/, width: '4 digits' };
const TPR: FixedWidth = { name: 'time pattern regime', form: /^\d{5}$/, width: '5 digits' };
const LLF: FixedWidth = { name: 'line loss factor class', form: /^[A-Z0-9]{3}$/i, width: '3 characters' };
const NEED: FixedWidth = { name: 'category of needs', form: /^[A-Z0-9]{2,}$/i, width: '2 digits' };

function reportWidth(
  code: string | null | undefined,
  path: string,
  { name, form, width }: FixedWidth,
  report: Report,
): void {
  if (isGiven(code) && !form.test(code)) report(path, `The ${name} ${quote(code)} does not have ${width}.`);
}
