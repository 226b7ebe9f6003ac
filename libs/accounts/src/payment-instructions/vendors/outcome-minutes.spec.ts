import { OutcomeMinutes } from './outcome-minutes';

it('outcomes are counted by minute, for an hour', () => {
  const minutes = new OutcomeMinutes();
  const at = (time: string) => new Date(`2026-11-22T${time}Z`);
  minutes.add('verified', at('10:00:01'));
  minutes.add('refused', at('10:00:59'));
  minutes.add('verified', at('10:02:00'));
  expect(minutes.read(at('10:02:30'))).toEqual([
    { at: '2026-11-22T10:00:00.000Z', verified: 1, refused: 1, unavailable: 0 },
    { at: '2026-11-22T10:02:00.000Z', verified: 1, refused: 0, unavailable: 0 },
  ]);
  expect(minutes.read(at('11:01:00'))).toHaveLength(1);
  expect(minutes.read(at('12:00:00'))).toEqual([]);
});
