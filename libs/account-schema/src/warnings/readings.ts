import type { ElectricityMeter, GasMeter, HistoricalReading, Reading } from '../contract/meters';
import type { Facts } from '../rules/engine/facts';
import type { Sentence } from '../rules/engine/kinds';
import type { CustomRule } from '../rules/engine/rule';
import { countWholeDigits, parseExact } from '../rules/terms/decimal';
import { isGiven } from '../rules/terms/is-given';
import { consecutivePairs } from '../rules/terms/period';
import { quote } from '../rules/terms/quote';
import { type Warning, customWarning, warning } from './warning';

type Meter = ElectricityMeter | GasMeter;

const VALUES = ['transfer_readings.<i>.reading_value', 'reading_history.<i>.reading_value'] as const;
const DATES = ['transfer_readings.<i>.reading_date', 'reading_history.<i>.reading_date'] as const;

/** Warnings about meters and their readings. */
export const READING_WARNINGS: readonly Warning[] = [
  readingWarning({
    code: 'reading_below_zero',
    field: 'reading_value',
    reason: 'A register counts upwards from zero.',
    mend: 'send the value that the register showed.',
    breachIn:
      () =>
      ({ reading_value: value, reading_date: date }) =>
        value.startsWith('-') && `The reading of ${date} is ${value}, below zero.`,
  }),
  readingWarning({
    code: 'reading_beyond_register_digits',
    field: 'reading_value',
    reason: 'A register cannot show more digits than it has.',
    mend: 'correct the reading, or the number of digits of the register.',
    breachIn: (meter) => {
      const digitsOf = digitsIn(meter);
      return ({ register_id: id, reading_value: value }) => {
        const digits = digitsOf(id);
        return (
          digits !== undefined &&
          countWholeDigits(value) > digits &&
          `The reading is ${value}, but the register shows ${digits} digits.`
        );
      };
    },
  }),
  customWarning({
    code: 'reading_below_the_one_before',
    at: { meter: VALUES },
    cost: 'sorting',
    reason: 'A register counts upwards, unless it has passed its last digit or was replaced.',
    mend: 'correct the values, the dates or the register of the two readings.',
    checks: {
      meter(meter, _facts, report) {
        for (const [{ reading: before, value: last }, { reading, path, value }] of consecutiveReadings(meter))
          if (before.reading_date < reading.reading_date && last > value)
            report(
              `${path}.reading_value`,
              `The reading of ${reading.reading_date} is ${reading.reading_value}, below ${before.reading_value} of ${before.reading_date}.`,
            );
      },
    },
  }),
  customWarning({
    code: 'readings_of_one_day_differ',
    at: { meter: VALUES },
    cost: 'sorting',
    reason: 'Billing continues from one value of a register on a day.',
    mend: 'send the value that was read, and mark the others as FAILED or leave them out.',
    checks: {
      meter(meter, _facts, report) {
        for (const [{ reading: before, value: last }, { reading, path, value }] of consecutiveReadings(meter))
          if (before.reading_date === reading.reading_date && last !== value)
            report(
              `${path}.reading_value`,
              `The register has the readings ${before.reading_value} and ${reading.reading_value} on ${reading.reading_date}.`,
            );
      },
    },
  }),
  readingWarning({
    code: 'reading_in_future',
    field: 'reading_date',
    needs: ['clock'],
    reason: 'A reading was taken in the past.',
    mend: 'send the day on which the register was read.',
    breachIn:
      (_meter, { today }) =>
      ({ reading_date: date }) =>
        date > today && `The reading is of ${date}, which is after today.`,
  }),
  readingWarning({
    code: 'reading_before_meter_installed',
    field: 'reading_date',
    reason: 'A meter is read after it was installed.',
    mend: 'correct the day of the reading or `installed_on`, or move the reading to the meter before.',
    breachIn:
      ({ installed_on: installed }) =>
      ({ reading_date: date }) =>
        isGiven(installed) &&
        date < installed &&
        `The reading is of ${date}, but the meter was installed on ${installed}.`,
  }),
  readingWarning({
    code: 'reading_after_meter_removed',
    field: 'reading_date',
    reason: 'A meter that was removed is not read.',
    mend: 'correct the day of the reading or `removed_on`, or move the reading to the meter after it.',
    breachIn:
      ({ removed_on: removed }) =>
      ({ reading_date: date }) =>
        isGiven(removed) &&
        date > removed &&
        `The reading is of ${date}, but the meter was removed on ${removed}.`,
  }),
  warning({
    code: 'meter_installed_in_future',
    on: 'meter',
    field: 'installed_on',
    needs: ['clock'],
    reason: 'A meter that is imported is installed already.',
    mend: 'send the day on which the meter was installed.',
    breach: ({ installed_on: installed }, { today }) =>
      isGiven(installed) &&
      installed > today &&
      `The meter is installed on ${installed}, which is after today.`,
  }),
  warning({
    code: 'meter_removed_before_installed',
    on: 'meter',
    field: 'removed_on',
    reason: 'A meter is removed after it was installed.',
    mend: 'correct `installed_on` or `removed_on`.',
    breach: ({ installed_on: installed, removed_on: removed }) =>
      isGiven(installed) &&
      isGiven(removed) &&
      removed < installed &&
      `The meter was removed on ${removed}, before it was installed on ${installed}.`,
  }),
  warning({
    code: 'meter_serial_number_without_digits',
    on: 'meter',
    field: 'meter_serial_number',
    reason: 'Serial numbers of meters have digits.',
    mend: 'send the number that is printed on the meter.',
    breach: ({ meter_serial_number: serial }) =>
      !/\d/.test(serial) && `The serial number of the meter is ${quote(serial)}, without a digit.`,
  }),
];

/** A warning about a field of each reading of a meter. */
interface ReadingWarning extends Omit<CustomRule, 'at' | 'checks'>, Pick<Warning, 'mend'> {
  readonly field: 'reading_value' | 'reading_date';
  /** The check of the readings of a meter. */
  readonly breachIn: (meter: Meter, facts: Facts) => (reading: Reading) => Sentence;
}

function readingWarning({ field, breachIn, ...described }: ReadingWarning): Warning {
  return customWarning({
    ...described,
    at: { meter: field === 'reading_value' ? VALUES : DATES },
    checks: {
      meter(meter, facts, report) {
        const breach = breachIn(meter, facts);
        forEachReading(meter, (reading, path) => {
          const detail = breach(reading);
          if (detail) report(`${path}.${field}`, detail);
        });
      },
    },
  });
}

const LISTS = ['transfer_readings', 'reading_history'] as const;

/** Calls `visit` with each reading of a meter, and its path relative to the meter. */
function forEachReading(meter: Meter, visit: (reading: Reading, path: string) => void): void {
  for (const list of LISTS) {
    const readings: readonly Reading[] = meter[list] ?? [];
    for (let i = 0; i < readings.length; i += 1) visit(readings[i] as Reading, `${list}.${i}`);
  }
}

/** The digits of the register that a reading of the meter names. */
function digitsIn(meter: Meter): (registerId: string | undefined) => number | undefined {
  if ('gas_number_of_digits' in meter) return () => meter.gas_number_of_digits;
  // Of registers with the same identifier the first one counts.
  const digits = new Map(
    (meter.registers ?? []).toReversed().map((one) => [one.register_id, one.number_of_digits]),
  );
  return (id) => (id === undefined ? undefined : digits.get(id));
}

/** A reading that the supplier has not marked as FAILED. */
interface PlacedReading {
  readonly reading: Reading;
  readonly path: string;
  readonly value: ReturnType<typeof parseExact>;
}

/** The consecutive valid readings of each register, in the order of their days, on one day in that of their values. */
function consecutiveReadings(meter: Meter): (readonly [PlacedReading, PlacedReading])[] {
  const { transfer_readings: transferred = [], reading_history: history = [] } = meter;
  if (transferred.length + history.length < 2) return [];
  const byRegister = new Map<string, PlacedReading[]>();
  forEachReading(meter, (reading, path) => {
    if ((reading as HistoricalReading).validation_status === 'FAILED') return;
    const register = reading.register_id ?? '';
    const placed = { reading, path, value: parseExact(reading.reading_value) };
    const others = byRegister.get(register);
    if (others) others.push(placed);
    else byRegister.set(register, [placed]);
  });
  return [...byRegister.values()].flatMap((readings) => consecutivePairs(readings.sort(byDayAndValue)));
}

function byDayAndValue(a: PlacedReading, b: PlacedReading): number {
  if (a.reading.reading_date !== b.reading.reading_date)
    return a.reading.reading_date < b.reading.reading_date ? -1 : 1;
  if (a.value === b.value) return 0;
  return a.value < b.value ? -1 : 1;
}
