import type { PriorityServicesRecord } from '../customer/priority-services-record';
import type { NeedCategories } from './operator/references';
import { fieldRule, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about priority services and the warm home discount. */
export const PRIORITY_SERVICE_RULES: readonly Rule[] = [
  rule({
    code: 'psr_industry_code_not_provided',
    path: 'customers.<i>.psr.<j>.elec_industry_code',
    tier: 'gbr',
    reason: 'Priority needs are reported to the industry by code.',
    checks: {
      priorityServicesRecord(record, _facts, report) {
        if (!isGiven(record.elec_industry_code) && !isGiven(record.gas_industry_code))
          report('elec_industry_code', 'Send elec_industry_code or gas_industry_code.');
      },
    },
  }),
  rule({
    code: 'psr_invalid_industry_code',
    path: 'customers.<i>.psr.<j>.elec_industry_code | customers.<i>.psr.<j>.gas_industry_code',
    tier: 'gbr',
    reason: 'Industry codes are numbers from 1 to 99.',
    checks: {
      priorityServicesRecord(record, _facts, report) {
        for (const field of CODE_FIELDS) {
          const code = record[field];
          if (isGiven(code) && !isWellFormed(code))
            report(field, `Enter one or two digits. Found ${quote(code)}.`);
        }
      },
    },
  }),
  rule({
    code: 'electricity_psr_record_not_found',
    path: 'customers.<i>.psr.<j>.elec_industry_code',
    tier: 'gbr',
    needs: ['reference data: priority_services_categories'],
    reason: 'The code must be one of the configured categories.',
    checks: {
      priorityServicesRecord({ elec_industry_code: code }, { references, nearest }, report) {
        const categories = references.priorityServicesCategories;
        if (!isGiven(code) || !isWellFormed(code) || !categories) return;
        if (!categories.hasCode('elec', code))
          report(
            'elec_industry_code',
            `No category of needs has the electricity code ${quote(code)}.${nearest.describe(code, categories.codesOf('elec'))}`,
          );
      },
    },
  }),
  rule({
    code: 'gas_psr_record_not_found',
    path: 'customers.<i>.psr.<j>.gas_industry_code',
    tier: 'gbr',
    needs: ['reference data: priority_services_categories'],
    reason: 'The code must be one of the configured categories.',
    checks: {
      priorityServicesRecord({ gas_industry_code: code }, { references, nearest }, report) {
        const categories = references.priorityServicesCategories;
        if (!isGiven(code) || !isWellFormed(code) || !categories) return;
        if (!categories.hasCode('gas', code))
          report(
            'gas_industry_code',
            `No category of needs has the gas code ${quote(code)}.${nearest.describe(code, categories.codesOf('gas'))}`,
          );
      },
    },
  }),
  rule({
    code: 'psr_record_description_not_found',
    path: 'customers.<i>.psr.<j>.description',
    tier: 'gbr',
    needs: ['reference data: priority_services_categories'],
    reason: 'The description must be that of a configured category.',
    checks: {
      priorityServicesRecord({ description }, { references, nearest }, report) {
        const categories = references.priorityServicesCategories;
        if (isGiven(description) && categories?.hasDescription(description) === false)
          report(
            'description',
            `No category of needs is described as ${quote(description)}.${nearest.describe(description, categories.allDescriptions)}`,
          );
      },
    },
  }),
  rule({
    code: 'temporary_psr_does_not_have_end_date',
    path: 'customers.<i>.psr.<j>.effective_to',
    tier: 'gbr',
    needs: ['reference data: priority_services_categories'],
    reason: 'A temporary need must have an end date.',
    checks: {
      priorityServicesRecord(record, { references }, report) {
        if (isGiven(record.effective_to)) return;
        if (isInCategory(record, references.temporaryPriorityServicesCategories))
          report('effective_to', 'The need is temporary: send its end date.');
      },
    },
  }),
  fieldRule({
    code: 'incorrect_format_for_tax_year',
    path: 'warm_home_discount.<i>.tax_year',
    tier: 'gbr',
    reason: 'A tax year is written YYYY/YY, and the second year follows the first.',
  }),
];

const CODE_FIELDS = ['elec_industry_code', 'gas_industry_code'] as const;

function isWellFormed(code: string): boolean {
  return /^[0-9]{1,2}$/.test(code);
}

function isInCategory(record: PriorityServicesRecord, categories: NeedCategories): boolean {
  const { elec_industry_code: elec, gas_industry_code: gas, description } = record;
  return (
    (isGiven(elec) && categories.hasCode('elec', elec)) ||
    (isGiven(gas) && categories.hasCode('gas', gas)) ||
    (isGiven(description) && categories.hasDescription(description))
  );
}
