import type { PriorityServicesRecord } from '../contract/customer';
import type { NeedCategories } from './operator/references';
import type { Facts } from './engine/facts';
import type { Sentence } from './engine/kinds';
import { fieldRule, rule, type Rule, valueRule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about priority services and the warm home discount. */
export const PRIORITY_SERVICE_RULES: readonly Rule[] = [
  rule({
    code: 'psr_industry_code_not_provided',
    on: 'priorityServicesRecord',
    field: 'elec_industry_code',
    reason: 'Priority needs are reported to the industry by code.',
    breach: (record) =>
      !isGiven(record.elec_industry_code) &&
      !isGiven(record.gas_industry_code) &&
      'Send elec_industry_code or gas_industry_code.',
  }),
  valueRule({
    code: 'psr_invalid_industry_code',
    at: { priorityServicesRecord: ['elec_industry_code', 'gas_industry_code'] },
    reason: 'Industry codes are numbers from 1 to 99.',
    breach: (code) => !isWellFormed(code) && `Enter one or two digits. Found ${quote(code)}.`,
  }),
  rule({
    code: 'electricity_psr_record_not_found',
    on: 'priorityServicesRecord',
    field: 'elec_industry_code',
    needs: ['reference data: priority_services_categories'],
    reason: 'The code must be one of the configured categories.',
    breach: ({ elec_industry_code: code }, facts) => describeUnknownCode('elec', code, facts),
  }),
  rule({
    code: 'gas_psr_record_not_found',
    on: 'priorityServicesRecord',
    field: 'gas_industry_code',
    needs: ['reference data: priority_services_categories'],
    reason: 'The code must be one of the configured categories.',
    breach: ({ gas_industry_code: code }, facts) => describeUnknownCode('gas', code, facts),
  }),
  rule({
    code: 'psr_record_description_not_found',
    on: 'priorityServicesRecord',
    field: 'description',
    needs: ['reference data: priority_services_categories'],
    reason: 'The description must be that of a configured category.',
    breach: ({ description }, { references, nearest }) => {
      const categories = references.priorityServicesCategories;
      return (
        isGiven(description) &&
        categories?.hasDescription(description) === false &&
        `No category of needs is described as ${quote(description)}.${nearest.describe(description, categories.allDescriptions)}`
      );
    },
  }),
  rule({
    code: 'temporary_psr_does_not_have_end_date',
    on: 'priorityServicesRecord',
    field: 'effective_to',
    needs: ['reference data: priority_services_categories'],
    reason: 'A temporary need must have an end date.',
    breach: (record, { references }) => {
      if (isGiven(record.effective_to)) return undefined;
      return (
        isInCategory(record, references.temporaryPriorityServicesCategories) &&
        'The need is temporary: send its end date.'
      );
    },
  }),
  fieldRule({
    code: 'incorrect_format_for_tax_year',
    at: { account: ['warm_home_discount.<i>.tax_year'] },
    tier: 'gbr',
    reason: 'A tax year is written YYYY/YY, and the second year follows the first.',
  }),
];

function isWellFormed(code: string): boolean {
  return /^[0-9]{1,2}$/.test(code);
}

function describeUnknownCode(
  fuel: 'elec' | 'gas',
  code: string | null | undefined,
  { references: { priorityServicesCategories: categories }, nearest }: Facts,
): Sentence {
  if (!isGiven(code) || !isWellFormed(code) || !categories || categories.hasCode(fuel, code))
    return undefined;
  const name = fuel === 'elec' ? 'electricity' : 'gas';
  return `No category of needs has the ${name} code ${quote(code)}.${nearest.describe(code, categories.codesOf(fuel))}`;
}

function isInCategory(record: PriorityServicesRecord, categories: NeedCategories): boolean {
  const { elec_industry_code: elec, gas_industry_code: gas, description } = record;
  return (
    (isGiven(elec) && categories.hasCode('elec', elec)) ||
    (isGiven(gas) && categories.hasCode('gas', gas)) ||
    (isGiven(description) && categories.hasDescription(description))
  );
}
