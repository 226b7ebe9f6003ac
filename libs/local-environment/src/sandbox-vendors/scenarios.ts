/** The simulated behaviour for a reference. */
export type Scenario =
  | { kind: 'found'; changes: object }
  | { kind: 'not-found' }
  | { kind: 'flaky' }
  | { kind: 'down' }
  | { kind: 'limited' }
  | { kind: 'silent' };

const COMMON_SCENARIOS = {
  notfound: { kind: 'not-found' },
  flaky: { kind: 'flaky' },
  down: { kind: 'down' },
  limited: { kind: 'limited' },
  silent: { kind: 'silent' },
} as const satisfies Record<string, Scenario>;

const found = (changes: object = {}): Scenario => ({ kind: 'found', changes });

/** By the name after `pm_sandbox`. */
const CARD_SCENARIOS: Readonly<Record<string, Scenario>> = {
  visa: found(),
  mastercard: found({ card: { brand: 'mastercard', last4: '4444', exp_month: 6, exp_year: 2049 } }),
  expired: found({ card: { brand: 'visa', last4: '0069', exp_month: 1, exp_year: 2020 } }),
  wrongtype: found({ type: 'sepa_debit', card: undefined, sepa_debit: { last4: '3000', country: 'DE' } }),
  detached: found({ customer: null }),
  ...COMMON_SCENARIOS,
};

/** By the name after `MDSANDBOX`. */
const MANDATE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  active: found(),
  submitted: found({ status: 'submitted' }),
  cancelled: found({ status: 'cancelled' }),
  failed: found({ status: 'failed' }),
  expired: found({ status: 'expired' }),
  suspended: found({ status: 'suspended_by_payer' }),
  ...COMMON_SCENARIOS,
};

/** Finds the scenario of a reference. Digits after the name are ignored: `pm_sandboxVisa0042`. */
export function scenarioOf(reference: string): Scenario {
  const [, vendor = '', name = ''] =
    /^(pm_sandbox|mdsandbox)([a-z]+)\d*$/.exec(reference.toLowerCase()) ?? [];
  const scenarios = vendor === 'pm_sandbox' ? CARD_SCENARIOS : MANDATE_SCENARIOS;
  return (Object.hasOwn(scenarios, name) ? scenarios[name] : undefined) ?? { kind: 'not-found' };
}
