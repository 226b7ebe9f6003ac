import { dayIn } from '@portage/account-schema/service';
import { addDays, FIRST_DAY, LAST_DAY } from '@portage/platform';
import fc from 'fast-check';
import { billingCycleOf, periodContaining } from './billing-cycle';
import { anyCycle } from '../../test/calendar';
import { anyDay, anyDayOf } from '../../../platform/test/days';
import { initialPeriods, rollOver } from './statement-period';

const MONTHLY = billingCycleOf();
const QUARTERLY = billingCycleOf({ period_length: 'QUARTERLY', period_start_month: 2 });
const dayOfImport = '2026-11-21';

describe('the first statement periods of an imported account', () => {
  it.each([
    ['no history', {}, '2026-11-20', '2026-11-21', '2026-11-30'],
    [
      'a closing date, which precedes last_billed_to_date',
      { lastStatementClosingDate: '2026-10-31', earliestLastBilledToDate: '2026-09-01' },
      '2026-10-31',
      '2026-11-01',
      '2026-11-30',
    ],
    [
      'a last_billed_to_date',
      { earliestLastBilledToDate: '2026-11-05' },
      '2026-11-04',
      '2026-11-05',
      '2026-11-30',
    ],
    [
      'a closing date years ago',
      { lastStatementClosingDate: '2019-02-28' },
      '2019-02-28',
      '2019-03-01',
      '2026-11-30',
    ],
    [
      'a closing date on the day of import',
      { lastStatementClosingDate: '2026-11-21' },
      '2026-11-21',
      '2026-11-22',
      '2026-11-30',
    ],
    [
      'a closing date at the end of the cycle',
      { lastStatementClosingDate: '2026-11-30' },
      '2026-11-30',
      '2026-12-01',
      '2026-12-31',
    ],
    [
      'a closing date in the future',
      { lastStatementClosingDate: '2027-02-10' },
      '2027-02-10',
      '2027-02-11',
      '2027-02-28',
    ],
    [
      'quarters',
      { lastStatementClosingDate: '2026-07-31', cycle: QUARTERLY },
      '2026-07-31',
      '2026-08-01',
      '2027-01-31',
    ],
    ['the last day', { lastStatementClosingDate: LAST_DAY }, '9999-12-30', LAST_DAY, LAST_DAY],
    ['the first day', { earliestLastBilledToDate: FIRST_DAY }, FIRST_DAY, '0001-01-02', '2026-11-30'],
  ])('an account with %s has its closed and open periods', (_case, history, closed, start, end) => {
    expect(initialPeriods({ dayOfImport, cycle: MONTHLY, ...history })).toEqual({
      closed: { start: null, end: closed },
      open: { start, end },
    });
  });

  it.each([
    ['2020-01-01', '2020-01-01'],
    ['2026-11-20', '2026-11-20'],
    ['2026-11-21', null],
  ])('history since %s starts the closed period at %s, not after its end', (earliest, start) => {
    const { closed } = initialPeriods({ earliestHistoricalDate: earliest, dayOfImport, cycle: MONTHLY });
    expect(closed).toEqual({ start, end: '2026-11-20' });
  });

  it('are consecutive and not empty, and the open period does not end before the day of import', () => {
    fc.assert(
      fc.property(
        fc.option(anyDay),
        fc.option(anyDay),
        fc.option(anyDay),
        anyDay,
        anyCycle,
        (closing, billedTo, earliest, day, cycle) => {
          const { closed, open } = initialPeriods({
            lastStatementClosingDate: closing,
            earliestLastBilledToDate: billedTo,
            earliestHistoricalDate: earliest,
            dayOfImport: day,
            cycle,
          });
          expect(addDays(closed.end, 1)).toBe(open.start);
          expect((closed.start ?? FIRST_DAY) <= closed.end).toBe(true);
          expect(open.start <= open.end && day <= open.end).toBe(true);
          expect(periodContaining(open.end, cycle).end).toBe(open.end);
        },
      ),
    );
  });

  it.each([
    ['2026-03-31T22:59:59Z', 'Europe/London', '2026-03-31', '2026-03-31'],
    ['2026-03-31T23:00:00Z', 'Europe/London', '2026-04-01', '2026-04-30'],
    ['2026-10-31T23:59:59Z', 'Europe/London', '2026-10-31', '2026-10-31'],
    ['2026-10-31T10:00:00Z', 'Pacific/Kiritimati', '2026-11-01', '2026-11-30'],
    ['2026-11-01T03:59:59Z', 'America/New_York', '2026-10-31', '2026-10-31'],
  ])('the periods of an import at %s in %s are open from %s to %s', (instant, zone, start, end) => {
    const { open } = initialPeriods({ dayOfImport: dayIn(zone, new Date(instant)), cycle: MONTHLY });
    expect(open).toEqual({ start, end });
  });
});

describe('rolling over', () => {
  const november = { start: '2026-11-21', end: '2026-11-30' };
  const december = { start: '2026-12-01', end: '2026-12-31' };

  it.each([
    ['2026-11-21', [], november],
    ['2026-11-30', [], november],
    ['2026-12-01', [november], december],
    ['2026-12-31', [november], december],
    ['2027-01-01', [november, december], { start: '2027-01-01', end: '2027-01-31' }],
  ])('rolling over on %s closes the periods that have ended', (today, closed, open) => {
    expect(rollOver(november, MONTHLY, today)).toEqual({ closed, open });
  });

  it('continues with the current cycle of the account', () => {
    expect(rollOver(november, QUARTERLY, '2026-12-01').open).toEqual({
      start: '2026-12-01',
      end: '2027-01-31',
    });
  });

  it('closes a limited number of periods per call', () => {
    const first = rollOver(november, MONTHLY, LAST_DAY);
    expect(first.closed).toHaveLength(120);
    const second = rollOver(first.open, MONTHLY, LAST_DAY);
    expect(second.closed[0]).toEqual(first.open);
  });

  it('leaves no gap, opens the period of today, and is idempotent', () => {
    fc.assert(
      fc.property(anyCycle, anyDay, fc.nat(4_000), (cycle, start, days) => {
        const before = { start, end: periodContaining(start, cycle).end };
        const today = addDays(start, days);
        const { closed, open } = rollOver(before, cycle, today, 1_000);
        expect(open.start <= today && today <= open.end).toBe(true);
        expect([...closed, open][0]).toEqual(before);
        [...closed, open].reduce((earlier, next) => {
          expect(next.start).toBe(addDays(earlier.end, 1));
          return next;
        });
        expect(rollOver(open, cycle, today, 1_000)).toEqual({ closed: [], open });
      }),
    );
  });

  it('has the same result in daily steps and in one call', () => {
    fc.assert(
      fc.property(anyCycle, anyDayOf(2020, 2030), fc.integer({ min: 1, max: 200 }), (cycle, start, days) => {
        const before = { start, end: periodContaining(start, cycle).end };
        const today = addDays(start, days);
        const atOnce = rollOver(before, cycle, today);
        const daily = { closed: [] as unknown[], open: before };
        for (let day = start; day <= today; day = addDays(day, 1)) {
          const next = rollOver(daily.open, cycle, day, 1);
          daily.closed.push(...next.closed);
          daily.open = next.open;
        }
        expect(daily).toEqual(atOnce);
      }),
    );
  });
});
