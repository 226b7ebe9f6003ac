import { type SchemaContext } from '../src/index';

/** The context of tests: a British supplier with the default profile and limits. */
export const core: SchemaContext = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  now: new Date('2026-01-15T12:00:00Z'),
  timeZone: 'Europe/London',
  limits: { arrayItems: 10_000, nesting: 32, errors: 1_000 },
};

export const gbEnergy: SchemaContext = { ...core, profile: 'gb-energy' };
