import type { AnyMeter, HistoricalReading, Reading } from '../contract/meters';
import type { Report } from '../rules/engine/rule';
import { countWholeDigits, parseExact } from '../rules/terms/decimal';
import { isGiven } from '../rules/terms/is-given';
import { quote } from '../rules/terms/quote';
import { type Warning, customWarning, warning } from './warning';

/** A field of the readings of a meter. */
const ofReadings = (field: string) => ({
  meter: [`transfer_readings.<i>.${field}`, `reading_history.<i>.${field}`],
});

/** Warnings about meters and their readings. */
export const READING_WARNINGS: readonly Warning[] = [
  customWarning({
    code: 'reading_below_zero',
    at: ofReadings('reading_value'),
    reason: 'A register counts upwards from zero.',
    mend: 'send the value that the register showed.',
    checks: {
      meter(meter, _facts, report) {
        forEachReading(meter, ({ reading_value: value, reading_date: date }, path) => {
          if (value.startsWith('-'))
            report(`${path}.reading_value`, `The reading of ${date} is ${value}, below zero.`);
        });
      },
    },
  }),
  customWarning({
    code: 'reading_beyond_register_digits',
    at: ofReadings('reading_value'),
    reason: 'A register cannot show more digits than it has.',
    mend: 'correct the reading, or the number of digits of the register.',
    checks: {
      electricityMeter(meter, _facts, report) {
        const digitsOf = (id: string | undefined) =>
          meter.registers?.find(({ register_id: one }) => one === id)?.number_of_digits;
        reportExcessDigits(meter, ({ register_id: id }) => digitsOf(id), report);
      },
      gasMeter(meter, _facts, report) {
        reportExcessDigits(meter, () => meter.gas_number_of_digits, report);
      },
    },
  }),
  customWarning({
    code: 'reading_below_the_one_before',
    at: ofReadings('reading_value'),
    cost: 'sorting',
    reason: 'A register counts upwards, unless it has passed its last digit or was replaced.',
    mend: 'correct the values, the dates or the register of the two readings.',
    checks: {
      meter(meter, _facts, report) {
        if (countReadings(meter) < 2) return;
        for (const readings of validReadingsByRegister(meter)) {
          for (const [i, { reading, path, value }] of readings.entries()) {
            const before = readings[i - 1];
            if (before && before.reading.reading_date < reading.reading_date && before.value > value)
              report(
                `${path}.reading_value`,
                `The reading of ${reading.reading_date} is ${reading.reading_value}, below ${before.reading.reading_value} of ${before.reading.reading_date}.`,
              );
          }
        }
      },
    },
  }),
  customWarning({
    code: 'readings_of_one_day_differ',
    at: ofReadings('reading_value'),
    cost: 'sorting',
    reason: 'Billing continues from one value of a register on a day.',
    mend: 'send the value that was read, and mark the others as FAILED or leave them out.',
    checks: {
      meter(meter, _facts, report) {
        if (countReadings(meter) < 2) return;
        for (const readings of validReadingsByRegister(meter)) {
          for (const [i, { reading, path, value }] of readings.entries()) {
            const before = readings[i - 1];
            if (before?.reading.reading_date === reading.reading_date && before.value !== value)
              report(
                `${path}.reading_value`,
                `The register has the readings ${before.reading.reading_value} and ${reading.reading_value} on ${reading.reading_date}.`,
              );
          }
        }
      },
    },
  }),
  customWarning({
    code: 'reading_in_future',
    at: ofReadings('reading_date'),
    needs: ['clock'],
    reason: 'A reading was taken in the past.',
    mend: 'send the day on which the register was read.',
    checks: {
      meter(meter, { today }, report) {
        forEachReading(meter, ({ reading_date: date }, path) => {
          if (date > today)
            report(`${path}.reading_date`, `The reading is of ${date}, which is after today.`);
        });
      },
    },
  }),
  customWarning({
    code: 'reading_before_meter_installed',
    at: ofReadings('reading_date'),
    reason: 'A meter is read after it was installed.',
    mend: 'correct the day of the reading or `installed_on`, or move the reading to the meter before.',
    checks: {
      meter(meter, _facts, report) {
        const { installed_on: installed } = meter;
        if (!isGiven(installed)) return;
        forEachReading(meter, ({ reading_date: date }, path) => {
          if (date < installed)
            report(
              `${path}.reading_date`,
              `The reading is of ${date}, but the meter was installed on ${installed}.`,
            );
        });
      },
    },
  }),
  customWarning({
    code: 'reading_after_meter_removed',
    at: ofReadings('reading_date'),
    reason: 'A meter that was removed is not read.',
    mend: 'correct the day of the reading or `removed_on`, or move the reading to the meter after it.',
    checks: {
      meter(meter, _facts, report) {
        const { removed_on: removed } = meter;
        if (!isGiven(removed)) return;
        forEachReading(meter, ({ reading_date: date }, path) => {
          if (date > removed)
            report(
              `${path}.reading_date`,
              `The reading is of ${date}, but the meter was removed on ${removed}.`,
            );
        });
      },
    },
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

const LISTS = ['transfer_readings', 'reading_history'] as const;

/** Calls `visit` with each reading of a meter, and its path relative to the meter. */
function forEachReading(meter: AnyMeter, visit: (reading: Reading, path: string) => void): void {
  for (const list of LISTS) {
    const readings: readonly Reading[] = meter[list] ?? [];
    for (let i = 0; i < readings.length; i += 1) visit(readings[i] as Reading, `${list}.${i}`);
  }
}

function countReadings({ transfer_readings: transferred, reading_history: history }: AnyMeter): number {
  return (transferred?.length ?? 0) + (history?.length ?? 0);
}

function reportExcessDigits(
  meter: AnyMeter,
  digitsOf: (reading: Reading) => number | undefined,
  report: Report,
): void {
  forEachReading(meter, (reading, path) => {
    const digits = digitsOf(reading);
    if (digits !== undefined && countWholeDigits(reading.reading_value) > digits)
      report(
        `${path}.reading_value`,
        `The reading is ${reading.reading_value}, but the register shows ${digits} digits.`,
      );
  });
}

/** A reading that the supplier has not marked as FAILED. */
interface PlacedReading {
  readonly reading: Reading;
  readonly path: string;
  readonly value: ReturnType<typeof parseExact>;
}

/** The valid readings of each register, in the order of their days; those of one day in the order of their values. */
function validReadingsByRegister(meter: AnyMeter): Iterable<PlacedReading[]> {
  const byRegister = new Map<string, PlacedReading[]>();
  forEachReading(meter, (reading, path) => {
    if ((reading as HistoricalReading).validation_status === 'FAILED') return;
    const register = reading.register_id ?? '';
    const placed = { reading, path, value: parseExact(reading.reading_value) };
    const others = byRegister.get(register);
    if (others) others.push(placed);
    else byRegister.set(register, [placed]);
  });
  for (const readings of byRegister.values()) readings.sort(byDayAndValue);
  return byRegister.values();
}

function byDayAndValue(a: PlacedReading, b: PlacedReading): number {
  if (a.reading.reading_date !== b.reading.reading_date)
    return a.reading.reading_date < b.reading.reading_date ? -1 : 1;
  if (a.value === b.value) return 0;
  return a.value < b.value ? -1 : 1;
}
