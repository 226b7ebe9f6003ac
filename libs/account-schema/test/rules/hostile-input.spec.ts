import { validateAccount } from '../../src/index';
import {
  PLAN,
  POINT,
  REGISTER,
  SCHEDULE,
  supplied,
  supplyCharge,
  LINE,
  payment,
  reading,
} from './cases/parts';
import { type Account, operatorContext } from './settings';

const context = operatorContext('gb-energy');

function many(count: number, member: (i: number) => object): object[] {
  return Array.from({ length: count }, (_, i) => member(i));
}

/** Lists of equal or nearly equal members: what a rule that compares each with each would drown in. */
const CROWDS: Record<string, (count: number) => Account> = {
  'transactions with one id': (n) => ({
    current_statement_transactions: many(n, () => payment('C1', '2024-06-02')),
  }),
  'transactions with ids of their own': (n) => ({
    historical_statement_transactions: many(n, (i) => payment(`H${i}`, '2024-06-02')),
    current_statement_transactions: many(n, (i) => payment(`C${i}`, '2024-06-02')),
  }),
  'charges under agreements that are all over': (n) => ({
    ...supplied({
      agreements: many(n, (i) => ({
        tariff_code: 'E-VAR',
        effective_from: `2021-03-${String((i % 28) + 1).padStart(2, '0')}`,
        effective_to: '2021-04-01',
      })),
    }),
    current_statement_transactions: many(n, (i) =>
      supplyCharge({ transaction_id: `C${i}`, line_items: [LINE] }),
    ),
  }),
  'meters that were all exchanged': (n) =>
    supplied({
      meters: many(n, (i) => ({
        meter_serial_number: `M${i % 7}`,
        installed_on: '2024-01-01',
        removed_on: '2024-01-01',
        registers: [REGISTER],
      })),
    }),
  'readings of a meter with as many registers': (n) =>
    supplied({
      last_billed_to_date: '2024-06-01',
      meters: [
        {
          meter_serial_number: 'M1',
          registers: many(n, (i) => ({ ...REGISTER, register_id: `R${i}` })),
          transfer_readings: many(n, (i) => reading('2024-06-01', { register_id: `R${n - i - 1}` })),
          reading_history: many(n, (i) => reading('2024-06-01', { billed: true, register_id: `R${i}` })),
        },
      ],
    }),
  'meter points that share a meter and an identifier': (n) => ({
    supply_addresses: supplied({}).supply_addresses.map((address) => ({
      ...address,
      meter_points: many(n, () => ({
        ...POINT,
        export_type: 'IMPORT_EXPORT',
        meters: [{ meter_serial_number: 'M1', registers: [REGISTER] }],
      })),
    })),
  }),
  'schedules of one ledger, and plans': (n) => ({
    payment_schedules: many(n, () => SCHEDULE),
    payment_plans: many(n, () => PLAN),
  }),
  'mistakes in every member': (n) => ({
    customers: many(n, () => ({ landline: 'abcde', metadata: [{ key: 'k' }] })),
  }),
};

/** The best of several tries: whoever else uses the machine can only slow it down. */
function millisecondsFor(account: Account, tries: number): number {
  let best = Infinity;
  for (let turn = 0; turn < tries; turn += 1) {
    const started = performance.now();
    validateAccount({ import_supplier: 'LEGACY_A', external_account_number: 'A-1', ...account }, context);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

describe('what rules cost', () => {
  it.each(Object.entries(CROWDS))('grows no faster than %s, but for a little', (_name, crowd) => {
    millisecondsFor(crowd(100), 1);
    const few = millisecondsFor(crowd(1_000), 5);
    const eightTimes = millisecondsFor(crowd(8_000), 6);
    // Quadratic cost would be 64 times as much; sorting and warming up are allowed for.
    expect(eightTimes).toBeLessThan(Math.max(few * 28, 250));
  });
});
