import { DEFAULT_LIMITS, type SchemaContext } from '../src/context';

/** The default context of tests: a British supplier with the profile `core` and the default limits. */
export const core: SchemaContext = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: false,
  now: new Date('2026-01-15T12:00:00Z'),
  timeZone: 'Europe/London',
  limits: DEFAULT_LIMITS,
};

/** The same context with the profile `gb-energy`. */
export const gbEnergy: SchemaContext = { ...core, profile: 'gb-energy' };
