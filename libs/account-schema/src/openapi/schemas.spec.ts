import { contractClasses } from './contract-shapes';
import { gbEnergy } from '../../test/context';
import { openApiSchemas } from './schemas';
import { validateObject } from '../validate';
import { hasInvisibleCharacter } from '@portage/text';
import { exampleOf } from './example';

interface ObjectSchema {
  description: string;
  properties?: Record<string, { description: string; examples?: unknown[] }>;
  oneOf?: { $ref: string }[];
}

describe('openApiSchemas', () => {
  const schemas = openApiSchemas() as Record<string, ObjectSchema>;

  it('has every class of the contract', () => {
    const names = contractClasses().map(({ name }) => name);
    expect(names.filter((name) => !(name in schemas))).toEqual([]);
  });

  it('describes every object and every field', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      expect([name, schema.description]).toEqual([name, expect.stringMatching(/\w.*\.$/)]);
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        expect([name, field, property.description]).toEqual([
          name,
          field,
          expect.stringMatching(/^[A-Z].*\.$/),
        ]);
      }
    }
  });

  it('refers only to existing schemas', () => {
    const references = JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    expect([...references].map(([, name]) => name!).filter((name) => !(name in schemas))).toEqual([]);
  });

  it('publishes a pattern of identifiers that refuses nothing but what validation refuses', () => {
    const properties = (name: string) => schemas[name]!.properties as Record<string, { pattern?: string }>;
    const { pattern } = properties('Account')['external_account_number']!;
    expect([
      properties('Note')['external_id']!.pattern,
      properties('Statement')['statement_id']!.pattern,
    ]).toEqual([pattern, pattern]);
    const published = new RegExp(pattern!);
    const refused: string[] = [];
    for (let unit = 0; unit <= 0xff_ff; unit += 1) {
      const text = `a${String.fromCharCode(unit)}b`;
      if (!published.test(text)) refused.push(text);
    }
    expect(refused.length).toBeGreaterThan(90);
    expect(refused).toEqual(refused.filter(hasInvisibleCharacter));
  });

  it('names the codes of rules at the fields that they are about', () => {
    expect(schemas['TaskParams']!.properties!['schedule_window_end']).toMatchObject({
      'x-possible-errors': expect.arrayContaining(['schedule_window_end_too_far_in_future']),
    });
  });

  it('is unchanged by serialising and parsing it as JSON', () => {
    expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas);
  });

  it('declares the discriminator of a union', () => {
    expect(schemas['MeterPoint']).toMatchObject({
      discriminator: {
        propertyName: 'supply_type',
        mapping: {
          ELECTRICITY: '#/components/schemas/ElectricityMeterPoint',
          GAS: '#/components/schemas/GasMeterPoint',
        },
      },
    });
  });

  it.each(contractClasses().map((type) => [type.name, type] as const))(
    'has a valid example of %s',
    (_, type) => {
      expect(validateObject(type, exampleOf(type), gbEnergy)).toMatchObject({ ok: true, ignoredFields: [] });
    },
  );

  it.each(contractClasses().map((type) => [type.name, type] as const))(
    'has valid examples of each field of %s',
    (name, type) => {
      for (const [field, { examples: [example] = [] }] of Object.entries(schemas[name]?.properties ?? {})) {
        if (example === undefined) continue;
        const result = validateObject(type, { ...exampleOf(type), [field]: example }, gbEnergy);
        expect([field, result]).toEqual([field, expect.objectContaining({ ok: true })]);
      }
    },
  );
});
