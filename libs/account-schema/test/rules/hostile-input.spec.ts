import { validateAccount } from '../../src/validate';
import { findWarnings } from '../../src/warnings/find-warnings';
import {
  LINE,
  payment,
  PLAN,
  POINT,
  reading,
  REGISTER,
  SCHEDULE,
  supplied,
  supplyCharge,
} from './cases/parts';
import { type Account, example, operatorContext } from './settings';

const context = operatorContext('gb-energy');

function repeat(count: number, member: (i: number) => object): object[] {
  return Array.from({ length: count }, (_, i) => member(i));
}

/** Long lists of equal or similar members, on which a quadratic rule would be slow. */
const LARGE_INPUTS: Record<string, (count: number) => Account> = {
  'transactions with one id': (n) => ({
    current_statement_transactions: repeat(n, () => payment('C1', '2024-06-02')),
  }),
  'transactions with different ids': (n) => ({
    historical_statement_transactions: repeat(n, (i) => payment(`H${i}`, '2024-06-02')),
    current_statement_transactions: repeat(n, (i) => payment(`C${i}`, '2024-06-02')),
  }),
  'charges under expired agreements': (n) => ({
    ...supplied({
      agreements: repeat(n, (i) => ({
        tariff_code: 'E-VAR',
        effective_from: `2021-03-${String((i % 28) + 1).padStart(2, '0')}`,
        effective_to: '2021-04-01',
      })),
    }),
    current_statement_transactions: repeat(n, (i) =>
      supplyCharge({ transaction_id: `C${i}`, line_items: [LINE] }),
    ),
  }),
  'exchanged meters': (n) =>
    supplied({
      meters: repeat(n, (i) => ({
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
          registers: repeat(n, (i) => ({ ...REGISTER, register_id: `R${i}` })),
          transfer_readings: repeat(n, (i) => reading('2024-06-01', { register_id: `R${n - i - 1}` })),
          reading_history: repeat(n, (i) => reading('2024-06-01', { billed: true, register_id: `R${i}` })),
        },
      ],
    }),
  'meter points that share a meter and an identifier': (n) => ({
    supply_addresses: supplied({}).supply_addresses.map((address) => ({
      ...address,
      meter_points: repeat(n, () => ({
        ...POINT,
        export_type: 'IMPORT_EXPORT',
        meters: [{ meter_serial_number: 'M1', registers: [REGISTER] }],
      })),
    })),
  }),
  'schedules of one ledger, and plans': (n) => ({
    payment_schedules: repeat(n, () => SCHEDULE),
    payment_plans: repeat(n, () => PLAN),
  }),
  'meters that were never billed, beside ledgers without a statement': (n) => ({
    ...supplied({ meters: repeat(n, (i) => ({ meter_serial_number: `M${i}`, registers: [REGISTER] })) }),
    ledgers: repeat(n, (i) => ({ ledger_code: `L${i}`, ledger_balance: '0.00' })),
  }),
  'meter points, of which the last has an invalid date that the whole account depends on': (n) => ({
    supply_addresses: supplied({}).supply_addresses.map((address) => ({
      ...address,
      meter_points: repeat(n, (i) => ({
        ...POINT,
        agreements: [{ tariff_code: 'E-VAR', effective_from: '2021-03-01' }],
        meters: [
          {
            meter_serial_number: `M${i}`,
            registers: [{ ...REGISTER, ...(i === n - 1 && { last_billed_to_date: 'never' }) }],
          },
        ],
      })),
    })),
  }),
  'priority services of one person': (n) => ({
    customers: [
      { psr: repeat(n, (i) => ({ elec_industry_code: String((i % 90) + 10), description: `D${i}` })) },
    ],
  }),
  'user details of one person': (n) => ({
    customers: [{ user_details: repeat(n, (i) => ({ namespace: `N${i}`, value: i })) }],
  }),
  'field errors in every member': (n) => ({
    customers: repeat(n, () => ({ landline: 'abcde', metadata: [{ key: 'k' }] })),
  }),
};

function validate(account: Account, inContext = context) {
  return validateAccount(
    { import_supplier: 'LEGACY_A', external_account_number: 'A-1', ...account },
    inContext,
  );
}

/** The fastest of several runs, which other processes influence least. */
function millisecondsFor(work: () => void, tries: number): number {
  let best = Infinity;
  for (let turn = 0; turn < tries; turn += 1) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** Quadratic time would grow by 64. The factor allows for sorting and warm-up. */
function expectAlmostLinear(workOn: (count: number) => () => void, factor = 28): void {
  millisecondsFor(workOn(100), 1);
  const few = millisecondsFor(workOn(1_000), 4);
  const eightTimes = millisecondsFor(workOn(8_000), 3);
  expect(eightTimes).toBeLessThan(Math.max(few * factor, 250));
}

describe('the time of rules', () => {
  it.each(Object.entries(LARGE_INPUTS))('grows almost linearly with %s', (_name, createInput) => {
    expectAlmostLinear((count) => {
      const account = createInput(count);
      return () => validate(account);
    });
  });
});

describe('the time of warnings', () => {
  it('grows almost linearly with readings of a meter with as many registers', () => {
    const core = operatorContext('core');
    expectAlmostLinear((count) => {
      const result = validate(
        LARGE_INPUTS['readings of a meter with as many registers']?.(count) ?? {},
        core,
      );
      if (!result.ok) throw new Error(JSON.stringify(result.errors[0]));
      return () => findWarnings(result.value, core);
      // A search of the registers for each reading grew by 15.
    }, 12);
  });
});

describe('rules on a payload with field errors', () => {
  it('do not throw if any field is replaced by a value of another type', () => {
    const original = example('01-domestic-dual-fuel');
    const values = [null, true, -1, 'odd', [], {}, [null], [[]]];
    for (const [nth, path] of pathsOf(original).entries()) {
      // Each path with three of them.
      for (const odd of [0, 3, 5].map((step) => values[(nth + step) % values.length])) {
        const account = structuredClone(original);
        replace(account, path, odd);
        expect(() => validateAccount(account, context)).not.toThrow();
      }
    }
  });
});

type Path = readonly (string | number)[];

/** The paths of all values inside, including containers. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsOf(inner, [...path, key])]);
}

function replace(root: Account, path: Path, value: unknown): void {
  let container: Record<string, unknown> = root;
  for (const key of path.slice(0, -1)) container = container[key] as Record<string, unknown>;
  container[path.at(-1) ?? ''] = value;
}
