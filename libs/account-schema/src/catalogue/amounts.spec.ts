import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constraintsOf } from '../compiler/constraints';
import { contractClasses } from '../openapi/contract-shapes';
import { openApiSchemas } from '../openapi/schemas';
import { describeAmount } from '../vocabulary/amounts';
import { fieldsOf } from '../vocabulary/description';

const PAGE = join(__dirname, '../../../../docs/contract.md');

/** Numbers that are no amounts of money: by name, or where others of the name are amounts, with their object. */
const OTHER_NUMBERS = new Set([
  'consumption',
  'credit_score',
  'day_of_month',
  'delay_days',
  'gas_number_of_digits',
  'installed_capacity',
  'mtc',
  'number_of_digits',
  'number_of_units',
  'period_length_multiplier',
  'period_start_day',
  'period_start_month',
  'profile_class',
  'reading_value',
  'reference_number',
  'smart_read_cycle_day',
  'units',
  'CapacityValue.value',
  'TaxExemption.rate',
]);

interface NumberField {
  object: string;
  field: string;
  amount: { unit: string; sign: string } | undefined;
}

function numberFields(): NumberField[] {
  return contractClasses().flatMap((type) => {
    const descriptions = fieldsOf(type);
    return constraintsOf(type)
      .filter(({ constraints, items }) =>
        [...constraints, ...items].some(({ name }) => name === 'isDecimal' || name === 'isInt'),
      )
      .map(({ property }) => ({
        object: type.name,
        field: property,
        amount: descriptions.get(property)?.amount,
      }));
  });
}

/** The table of the page: a row for each field, with the objects that have it with the same meaning. */
function tableOf(fields: readonly NumberField[]): string {
  const rows = new Map<string, { objects: string[]; field: string; unit: string; sign: string }>();
  for (const { object, field, amount } of fields) {
    if (!amount) continue;
    const key = [field, amount.unit, amount.sign].join('|');
    const row = rows.get(key) ?? { objects: [], field, ...amount };
    row.objects.push(object);
    rows.set(key, row);
  }
  return [
    '| field | of | unit | sign |',
    '| --- | --- | --- | --- |',
    ...[...rows.values()].map(
      ({ objects, field, unit, sign }) => `| \`${field}\` | ${objects.join(', ')} | ${unit} | ${sign} |`,
    ),
  ].join('\n');
}

describe('the amounts of the contract', () => {
  it('have a unit and a sign, each of them', () => {
    const without = numberFields().filter(
      ({ object, field, amount }) =>
        !amount && !OTHER_NUMBERS.has(field) && !OTHER_NUMBERS.has(`${object}.${field}`),
    );
    expect(without).toEqual([]);
  });

  it('have them in the OpenAPI document', () => {
    const schemas = openApiSchemas() as Record<
      string,
      { properties: Record<string, { description?: string }> }
    >;
    const amounts = numberFields().filter(({ amount }) => amount !== undefined);
    expect(amounts.length).toBeGreaterThan(40);
    for (const { object, field, amount } of amounts)
      expect([object, field, schemas[object]!.properties[field]!.description]).toEqual([
        object,
        field,
        expect.stringContaining(describeAmount(amount!)),
      ]);
  });

  it('are listed in docs/contract.md', () => {
    expect(readFileSync(PAGE, 'utf8')).toContain(tableOf(numberFields()));
  });
});
