import { planReference } from './reference';

it('names the plan of a submission by its reference and the time, in at most 128 characters', () => {
  const now = Date.parse('2026-11-21T09:31:00.500Z');
  expect(planReference('delta 1', now)).toBe('delta 1-plan-2026-11-21T09:31:00');
  expect(planReference('x'.repeat(128), now)).toMatch(/^x{103}-plan-2026-11-21T09:31:00$/);
});
