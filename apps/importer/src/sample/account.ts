import { addDays, at, day, type Day, firstOfMonth } from './calendar';
import { type Money, money, services } from './ledger';
import { pounds } from './money';
import { type Contact, customer, person } from './people';
import { billingAddress, billingLines, place, supplyLines } from './places';
import { type Random } from './random';
import { electricity, gas, type SupplyDates, type SupplyPoint } from './supply-points';
import { NOTES, TRADES } from './words';

/** An account as it stands in the book. Fields that are undefined are left out when it is written. */
export type Account = Record<string, unknown>;

export const KINDS = [
  'dual-fuel',
  'electricity-only',
  'gas-only',
  'landline-only',
  'business',
  'unknown-occupier',
  'minimal',
] as const;
export type Kind = (typeof KINDS)[number];

/** Of a hundred accounts; dual fuel is the rest. */
const SHARES: [Kind, number][] = [
  ['electricity-only', 20],
  ['gas-only', 8],
  ['landline-only', 10],
  ['business', 10],
  ['unknown-occupier', 4],
  ['minimal', 4],
];

/** What makes the account's identities and supply points its own. */
export interface Identity {
  supplier: string;
  externalAccountNumber: string;
  /** The book's. */
  seed: number;
  /** From 0, below 5,000,000; no two accounts of a book share one. */
  serial: number;
}

export function anyKind(random: Random): Kind {
  let roll = random.between(0, 99);
  for (const [kind, share] of SHARES) {
    roll -= share;
    if (roll < 0) return kind;
  }
  return 'dual-fuel';
}

/**
 * An account that keeps every rule of the contract: agreements follow each other without a gap, line items, taxes
 * and balances add up, check digits are right, and all of it happened in the past whatever the day is.
 */
export function account(kind: Kind, identity: Identity, random: Random): Account {
  switch (kind) {
    case 'minimal':
      return minimal(identity, random);
    case 'unknown-occupier':
      return unknownOccupier(identity, random);
    case 'business':
      return business(identity, random);
    default:
      return domestic(kind, identity, random);
  }
}

function minimal({ supplier, externalAccountNumber, serial }: Identity, random: Random): Account {
  const who = person(random, String(serial));
  return {
    import_supplier: supplier,
    external_account_number: externalAccountNumber,
    last_billed_to_date: dates(random, 2020).takeover,
    customers: [{ given_name: who.givenName, family_name: who.familyName }],
  };
}

function unknownOccupier(
  { supplier, externalAccountNumber, seed, serial }: Identity,
  random: Random,
): Account {
  const when = dates(random, 2020);
  return {
    import_supplier: supplier,
    external_account_number: externalAccountNumber,
    account_type: 'DOMESTIC_OCCUPIER',
    unknown_occupier: true,
    last_billed_to_date: when.takeover,
    transfer_balance: '0.00',
    supply_addresses: [
      {
        ...supplyLines(place(random)),
        customer_at_supply_address_from_date: when.supplyStart,
        meter_points: [electricity(random, { seed, serial: serial * 2 }, when, false).meterPoint],
      },
    ],
    notes: [{ body: 'No reply to three letters; nobody known to live there.' }],
  };
}

function domestic(kind: Kind, identity: Identity, random: Random): Account {
  const { supplier, externalAccountNumber, seed, serial } = identity;
  const when = dates(random, 2020);
  const points: SupplyPoint[] = [];
  if (kind !== 'gas-only') points.push(electricity(random, { seed, serial: serial * 2 }, when, false));
  if (kind !== 'electricity-only') points.push(gas(random, { seed, serial }, when));

  const contact: Contact = kind === 'landline-only' ? kind : random.pick(['everything', 'mobile']);
  const people = Array.from({ length: random.chance(0.25) ? 2 : 1 }, (_, nth) =>
    person(random, nth === 0 ? String(serial) : `${serial}b`),
  );
  const [holder] = people;
  const home = place(random);
  const accounts = money(random, points, when.takeover, externalAccountNumber);
  const ledgers = random.chance(0.6);
  return {
    import_supplier: supplier,
    external_account_number: externalAccountNumber,
    external_identifier: random.chance(0.15)
      ? `migration/${seed}/${serial} №${random.between(1, 99)}`
      : undefined,
    account_type: 'DOMESTIC',
    date_of_sale: addDays(when.supplyStart, -18),
    sales_channel: random.pick(['DIRECT', 'TELESALES', 'PRICE_COMPARISON', 'MOVE_IN', 'HIGH_REFERRER']),
    communication_preference: contact === 'landline-only' ? 'PRINT' : 'ONLINE',
    document_accessibility: random.chance(0.06)
      ? random.pick(['LARGE_PRINT', 'BRAILLE', 'SPOKEN'])
      : undefined,
    language_preference: random.chance(0.3) ? 'en-gb' : undefined,
    billing_name: people.map((who) => `${who.title} ${who.familyName}`).join(' and '),
    ...(random.chance(0.75) ? billingLines(home) : billingAddress(home)),
    billing_email: contact === 'landline-only' ? undefined : holder?.email,
    customers: people.map((who, nth) => ({
      ...customer(random, who, contact, when.takeover),
      user_identifier: `customer-${nth + 1}`,
      psr:
        random.chance(0.08) && points.length === 2
          ? [{ elec_industry_code: '08', gas_industry_code: '08', effective_from: at(when.supplyStart, 0) }]
          : undefined,
    })),
    supply_addresses: [
      {
        ...supplyLines(home),
        customer_at_supply_address_from_date: when.supplyStart,
        property_external_identifier: `PROP-${serial}`,
        meter_points: points.map(({ meterPoint }) => meterPoint),
      },
    ],
    ...(ledgers ? inLedgers(accounts, points, random, when.takeover, externalAccountNumber) : flat(accounts)),
    last_billed_to_date: when.takeover,
    ...payments(random, ledgers, when, externalAccountNumber),
    references: random.chance(0.2)
      ? [{ namespace: 'old-web-portal-id', value: `W-${externalAccountNumber}` }]
      : undefined,
    account_campaigns: random.chance(0.1)
      ? [{ slug: 'first-wave', campaign_note: 'Moved with the pilot group.', start_date: when.takeover }]
      : undefined,
    notes: notes(random, when.takeover),
    statements: random.chance(0.7) ? [lastStatement(accounts, externalAccountNumber)] : undefined,
    debts: random.chance(0.1)
      ? [
          {
            is_insolvent: false,
            aged_debt: [{ debt_amount: '40.00', due_date: addDays(when.takeover, -32) }],
          },
        ]
      : undefined,
    last_payment_review_date: random.chance(0.4)
      ? addDays(when.takeover, -random.between(20, 300))
      : undefined,
    metadata: [{ key: 'migrated_from', value: { system: 'billing-2', batch: random.between(1, 40) } }],
  };
}

function business({ supplier, externalAccountNumber, seed, serial }: Identity, random: Random): Account {
  const when = dates(random, 2022);
  const who = person(random, String(serial));
  const [trade, reference] = random.pick(TRADES);
  const name = `${who.familyName} ${trade} Ltd`;
  const office = place(random);
  const sites = random.chance(0.3) ? 2 : 1;
  const points = Array.from({ length: sites }, (_, nth) =>
    electricity(random, { seed, serial: serial * 2 + nth }, when, true),
  );
  const accounts = money(random, points, when.takeover, externalAccountNumber);
  return {
    import_supplier: supplier,
    external_account_number: externalAccountNumber,
    account_type: 'BUSINESS',
    sales_channel: random.pick(['BROKER', 'DIRECT', 'FIELD_SALES']),
    communication_preference: random.pick(['PRINT', 'ONLINE']),
    business: {
      business_type: 'LTD',
      company_name: name,
      company_number: random.chance(0.8) ? `0${random.digits(7)}` : `SC${random.digits(6)}`,
      segment_name: 'SMALL',
      details: [{ key: 'vat_number', value: 'GB000000000' }],
      users: [
        {
          business_roles: ['ADMIN'],
          given_name: who.givenName,
          family_name: who.familyName,
          email: who.email,
        },
      ],
    },
    billing_name: name,
    billing_attention_of: 'Accounts payable',
    billing_customer_reference: reference,
    ...billingAddress(office),
    billing_email: `bills.${serial}@example.org`,
    account_billing_options: {
      use_industry_billing: false,
      period_length: 'MONTHLY',
      period_length_multiplier: 1,
      period_start_day: 1,
    },
    customers: [{ ...customer(random, who, 'everything', when.takeover), label: 'Owner' }],
    supply_addresses: points.map(({ meterPoint }, nth) => ({
      ...supplyLines(place(random)),
      label: nth === 0 ? 'Main site' : 'Store',
      customer_at_supply_address_from_date: when.supplyStart,
      property_external_identifier: `PROP-${serial}-${nth + 1}`,
      meter_points: [meterPoint],
    })),
    last_billed_to_date: when.takeover,
    ...flat(accounts),
    payment_schedules: [
      {
        means: 'MANUAL',
        trigger: 'BILL',
        start_date: when.takeover,
        delay_strategy: 'WORKING_DAYS',
        delay_days: random.pick([5, 10, 14]),
      },
    ],
    notes: notes(random, when.takeover),
    statements: [lastStatement(accounts, externalAccountNumber)],
  };
}

/** Supply for some years, taken over on the first of a month between March 2024 and June 2025. */
function dates(random: Random, firstYear: number): SupplyDates {
  return {
    supplyStart: day(random.between(firstYear, 2023), random.between(2, 11), random.between(1, 28)),
    takeover: firstOfMonth('2024-03-01', random.between(0, 15)),
  };
}

function inLedgers(
  accounts: Money,
  points: SupplyPoint[],
  random: Random,
  takeover: Day,
  prefix: string,
): Record<string, unknown> {
  const other = random.chance(0.2) ? services(random, takeover, prefix) : undefined;
  const main = {
    ledger_code: 'MAIN',
    ledger_identifier: 'ledger-energy',
    identifiers: points.map(({ identifier }) => identifier),
    ...statementOf(accounts),
    ledger_balance: pounds(accounts.balance),
  };
  return {
    ledgers: other === undefined ? [main] : [main, other.ledger],
    transfer_balance: pounds(accounts.balance + (other?.balance ?? 0)),
  };
}

/** Without ledgers: the older style, with balances and transactions on the account itself. */
function flat(accounts: Money): Record<string, unknown> {
  return { ...statementOf(accounts), transfer_balance: pounds(accounts.balance) };
}

function statementOf({
  history,
  current,
  statementBalance,
  closingDate,
  issueDate,
}: Money): Record<string, unknown> {
  return {
    historical_statement_transactions: history,
    last_statement_balance: pounds(statementBalance),
    last_statement_closing_date: closingDate,
    last_statement_issue_date: issueDate,
    current_statement_transactions: current.length > 0 ? current : undefined,
  };
}

/** A monthly direct debit on a mandate, on the main ledger where the account has ledgers. */
function payments(
  random: Random,
  ledgers: boolean,
  when: SupplyDates,
  prefix: string,
): Record<string, unknown> {
  if (random.chance(0.25)) return {};
  const ledger = ledgers ? { ledger_code: 'MAIN' } : {};
  return {
    payment_instructions: [
      {
        instruction_identifier: 'mandate-1',
        type: 'DIRECT_DEBIT',
        vendor: 'VENDOR_A',
        reference: `DDM-${prefix}`,
        ...ledger,
        valid_from: addDays(when.supplyStart, 4),
      },
    ],
    payment_preferences: ledgers
      ? [
          {
            type: 'ACTIVE_NEW',
            ledger_identifier: 'ledger-energy',
            instruction_reference_params: { instruction_identifier: 'mandate-1' },
          },
        ]
      : undefined,
    payment_schedules: [
      {
        ...ledger,
        means: 'DD',
        trigger: 'REGULAR',
        frequency: 'MONTHLY',
        day_of_month: random.between(1, 28),
        amount: pounds(random.between(40, 260) * 100),
        start_date: addDays(when.supplyStart, 20),
      },
    ],
  };
}

function notes(random: Random, takeover: Day): Record<string, unknown>[] | undefined {
  const count = random.between(0, 3);
  if (count === 0) return undefined;
  return Array.from({ length: count }, (_, nth) => {
    const written = addDays(takeover, -random.between(1, 600));
    const pinned = nth === 0 && random.chance(0.3);
    return {
      body: random.pick(NOTES),
      created_at: at(written, random.between(8, 19), random.between(0, 59)),
      is_pinned: pinned ? true : undefined,
      unpin_at: pinned ? at(addDays(written, 365), 0) : undefined,
      external_id: `note-${nth + 1}`,
    };
  });
}

function lastStatement({ charged, closingDate, issueDate }: Money, prefix: string): Record<string, unknown> {
  const month = closingDate.slice(0, 7);
  return {
    statement_id: `ST-${month}`,
    number: `INV-${month}-${prefix}`,
    bill_period_from_date: `${month}-01`,
    bill_period_to_date: closingDate,
    issued_date: issueDate,
    gross_amount: charged,
    statement_path: `${prefix}/${month}.pdf`,
  };
}
