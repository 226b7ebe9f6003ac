import { type PriorityServicesRecord } from '../customer/priority-services-record';
import { type PriorityServicesCategory } from './operator/reference-data';
import { fieldRule, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';

/** Needs that entitle to priority services, and the warm home discount. */
export const PRIORITY_SERVICE_RULES: readonly Rule[] = [
  rule({
    code: 'psr_industry_code_not_provided',
    path: 'customers.<i>.psr.<j>.elec_industry_code',
    tier: 'gbr',
    why: 'A need is passed on to the industry by its code.',
    checks: {
      priorityServicesRecord(record, _facts, report) {
        if (!given(record.elec_industry_code) && !given(record.gas_industry_code))
          report('elec_industry_code', 'Say which need it is, by its code for electricity or for gas.');
      },
    },
  }),
  rule({
    code: 'psr_invalid_industry_code',
    path: 'customers.<i>.psr.<j>.elec_industry_code | customers.<i>.psr.<j>.gas_industry_code',
    tier: 'gbr',
    why: 'The industry numbers needs from 1 to 99.',
    checks: {
      priorityServicesRecord(record, _facts, report) {
        for (const field of CODES) {
          const code = record[field];
          if (given(code) && !isWellFormed(code))
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
    why: 'A code that no category has says nothing about what is needed.',
    checks: {
      priorityServicesRecord({ elec_industry_code: code }, { references }, report) {
        const categories = references.priorityServicesCategories();
        if (!given(code) || !isWellFormed(code) || !categories) return;
        if (!categories.some((one) => isSameCode(one.elec_code, code)))
          report('elec_industry_code', `No category of needs has the electricity code ${quote(code)}.`);
      },
    },
  }),
  rule({
    code: 'gas_psr_record_not_found',
    path: 'customers.<i>.psr.<j>.gas_industry_code',
    tier: 'gbr',
    needs: ['reference data: priority_services_categories'],
    why: 'A code that no category has says nothing about what is needed.',
    checks: {
      priorityServicesRecord({ gas_industry_code: code }, { references }, report) {
        const categories = references.priorityServicesCategories();
        if (!given(code) || !isWellFormed(code) || !categories) return;
        if (!categories.some((one) => isSameCode(one.gas_code, code)))
          report('gas_industry_code', `No category of needs has the gas code ${quote(code)}.`);
      },
    },
  }),
  rule({
    code: 'psr_record_description_not_found',
    path: 'customers.<i>.psr.<j>.description',
    tier: 'gbr',
    needs: ['reference data: priority_services_categories'],
    why: 'The words are those of a category, not free ones.',
    checks: {
      priorityServicesRecord({ description }, { references }, report) {
        const categories = references.priorityServicesCategories();
        if (given(description) && categories?.some((one) => one.description === description) === false)
          report('description', `No category of needs is described as ${quote(description)}.`);
      },
    },
  }),
  rule({
    code: 'temporary_psr_does_not_have_end_date',
    path: 'customers.<i>.psr.<j>.effective_to',
    tier: 'gbr',
    needs: ['reference data: priority_services_categories'],
    why: 'A temporary need is over some day.',
    checks: {
      priorityServicesRecord(record, { references }, report) {
        if (given(record.effective_to)) return;
        if (references.priorityServicesCategories()?.some((one) => one.temporary && isOf(record, one)))
          report('effective_to', 'The need is temporary: say until when.');
      },
    },
  }),
  fieldRule({
    code: 'incorrect_format_for_tax_year',
    path: 'warm_home_discount.<i>.tax_year',
    tier: 'gbr',
    why: 'A tax year spans two calendar years, the second one year on.',
  }),
];

const CODES = ['elec_industry_code', 'gas_industry_code'] as const;

function isWellFormed(code: string): boolean {
  return /^[0-9]{1,2}$/.test(code);
}

/** Suppliers write 8 and 08 for one code. */
function isSameCode(known: string | null, code: string | null | undefined): boolean {
  return known !== null && given(code) && known.padStart(2, '0') === code.padStart(2, '0');
}

function isOf(record: PriorityServicesRecord, category: PriorityServicesCategory): boolean {
  return (
    isSameCode(category.elec_code, record.elec_industry_code) ||
    isSameCode(category.gas_code, record.gas_industry_code) ||
    record.description === category.description
  );
}
