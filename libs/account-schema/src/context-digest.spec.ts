import { digestContext } from './context-digest';
import type { SchemaContext } from './context';
import { References } from './rules/operator/references';

const context: SchemaContext = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  now: new Date('2026-03-01T12:00:00Z'),
  timeZone: 'UTC',
  rules: { supplier: {}, instance: {}, references: new References({ operations_teams: ['A'] }) },
  limits: { arrayItems: 100, nesting: 10, errors: 5 },
};

describe('the digest of a context', () => {
  it('is a 64-bit number, equal for equal settings, lists and days', () => {
    const digest = digestContext(context);
    expect(BigInt.asIntN(64, BigInt(digest)).toString()).toBe(digest);
    const equal = {
      ...context,
      now: new Date('2026-03-01T23:59:59Z'),
      rejectUndocumentedFields: true,
      rules: { supplier: {}, instance: {}, references: new References({ operations_teams: ['A'] }) },
      limits: { ...context.limits, errors: 50 },
    };
    expect(digestContext(equal)).toBe(digest);
  });

  it.each<[string, Partial<SchemaContext>]>([
    ['profile', { profile: 'gb-energy' }],
    ['region', { region: 'FR' }],
    ['time zone', { timeZone: 'Europe/Paris' }],
    ['day', { now: new Date('2026-03-02T00:00:00Z') }],
    [
      'setting of the supplier',
      { rules: { ...context.rules, supplier: { import_supply_address_history: true } } },
    ],
    ['setting of the operator', { rules: { ...context.rules, instance: { check_file_paths: true } } }],
    ['list', { rules: { ...context.rules, references: new References({ operations_teams: ['B'] }) } }],
    ['limit', { limits: { ...context.limits, arrayItems: 99 } }],
  ])('is another one for another %s', (_, change) => {
    expect(digestContext({ ...context, ...change })).not.toBe(digestContext(context));
  });
});
