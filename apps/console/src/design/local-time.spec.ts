import { toIso, toLocal } from './local-time';

it('the value of a field for date and time is the local minute of a moment', () => {
  const moment = new Date(2026, 10, 23, 9, 5, 59);
  expect(toLocal(moment.toISOString())).toBe('2026-11-23T09:05');
  expect(toIso('2026-11-23T09:05')).toBe(new Date(2026, 10, 23, 9, 5).toISOString());
});

it('an empty field is no moment, and a parameter that is no moment is an empty field', () => {
  expect([toIso(''), toLocal(undefined), toLocal('yesterday')]).toEqual([undefined, '', '']);
});
