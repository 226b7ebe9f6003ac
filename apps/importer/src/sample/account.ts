import { addDays, day, type Day, firstOfMonth, momentAt } from './calendar';
import { type Balances, buildBalances, buildServicesLedger } from './ledger';
import { formatPounds } from './money';
import { buildCustomer, type Contact, pickPerson } from './people';
import { billingAddress, billingLines, pickPlace, supplyLines } from './places';
import type { Random } from './random';
import { buildElectricityPoint, buildGasPoint, type SupplyDates, type SupplyPoint } from './supply-points';
import { NOTES, TRADES } from './words';

/** An account of the book. Undefined fields are omitted when it is serialised. */
export type Account = Record<string, unknown>;

/** The kinds of sample accounts. */
export const KINDS = [
  'dual-fuel',
  'electricity-only',
  'gas-only',
  'landline-only',
  'business',
  'unknown-occupier',
  'minimal',
] as const;
/** A kind of sample account. */
export type Kind = (typeof KINDS)[number];

/** The percentage of each kind of account; the remaining accounts are dual fuel. */
const KIND_PERCENTAGES: [Kind, number][] = [
  ['electricity-only', 20],
  ['gas-only', 8],
  ['landline-only', 10],
  ['business', 10],
  ['unknown-occupier', 4],
  ['minimal', 4],
];

/** The values that make an account and its supply points unique. */
export interface Identity {
  supplier: string;
  externalAccountNumber: string;
  /** Seed of the book. */
  seed: number;
  /** Serial number, from 0 to 4,999,999, unique in a book. */
  serial: number;
}

/** Picks a kind by the percentages. */
export function pickKind(random: Random): Kind {
  let roll = random.between(0, 99);
  for (const [kind, share] of KIND_PERCENTAGES) {
    roll -= share;
    if (roll < 0) return kind;
  }
  return 'dual-fuel';
}

/**
 * Builds an account that satisfies all rules of the contract: agreements are consecutive, line items, taxes and
 * balances sum up, check digits fit, and all dates are in the past.
 */
export function buildAccount(kind: Kind, identity: Identity, random: Random): Account {
  switch (kind) {
    case 'minimal':
      return buildMinimalAccount(identity, random);
    case 'unknown-occupier':
      return buildOccupierAccount(identity, random);
    case 'business':
      return buildBusinessAccount(identity, random);
    default:
      return buildDomesticAccount(kind, identity, random);
  }
}

function buildMinimalAccount({ supplier, externalAccountNumber, serial }: Identity, random: Random): Account {
  const who = pickPerson(random, String(serial));
  return {
    import_supplier: supplier,
    external_account_number: externalAccountNumber,
    last_billed_to_date: pickSupplyDates(random, 2020).takeover,
    customers: [{ given_name: who.givenName, family_name: who.familyName }],
  };
}

function buildOccupierAccount(
  { supplier, externalAccountNumber, seed, serial }: Identity,
  random: Random,
): Account {
  const when = pickSupplyDates(random, 2020);
  return {
    import_supplier: supplier,
    external_account_number: externalAccountNumber,
    account_type: 'DOMESTIC_OCCUPIER',
    unknown_occupier: true,
    last_billed_to_date: when.takeover,
    transfer_balance: '0.00',
    supply_addresses: [
      {
        ...supplyLines(pickPlace(random)),
        customer_at_supply_address_from_date: when.supplyStart,
        meter_points: [buildElectricityPoint(random, { seed, serial: serial * 2 }, when, false).meterPoint],
      },
    ],
    notes: [{ body: 'No reply to three letters; nobody known to live there.' }],
  };
}

function buildDomesticAccount(kind: Kind, identity: Identity, random: Random): Account {
  const { supplier, externalAccountNumber, seed, serial } = identity;
  const when = pickSupplyDates(random, 2020);
  const points: SupplyPoint[] = [];
  if (kind !== 'gas-only')
    points.push(buildElectricityPoint(random, { seed, serial: serial * 2 }, when, false));
  if (kind !== 'electricity-only') points.push(buildGasPoint(random, { seed, serial }, when));

  const contact: Contact = kind === 'landline-only' ? kind : random.pick(['everything', 'mobile']);
  const people = Array.from({ length: random.chance(0.25) ? 2 : 1 }, (_, nth) =>
    pickPerson(random, nth === 0 ? String(serial) : `${serial}b`),
  );
  const [holder] = people;
  const home = pickPlace(random);
  const accounts = buildBalances(random, points, when.takeover, externalAccountNumber);
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
      ...buildCustomer(random, who, contact, when.takeover),
      user_identifier: `customer-${nth + 1}`,
      psr:
        random.chance(0.08) && points.length === 2
          ? [
              {
                elec_industry_code: '08',
                gas_industry_code: '08',
                effective_from: momentAt(when.supplyStart, 0),
              },
            ]
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
    ...(ledgers
      ? buildLedgerFields(accounts, points, random, when.takeover, externalAccountNumber)
      : buildBalanceFields(accounts)),
    last_billed_to_date: when.takeover,
    ...buildPaymentFields(random, ledgers, when, externalAccountNumber),
    references: random.chance(0.2)
      ? [{ namespace: 'old-web-portal-id', value: `W-${externalAccountNumber}` }]
      : undefined,
    account_campaigns: random.chance(0.1)
      ? [{ slug: 'first-wave', campaign_note: 'Moved with the pilot group.', start_date: when.takeover }]
      : undefined,
    notes: buildNotes(random, when.takeover),
    statements: random.chance(0.7) ? [buildLastStatement(accounts, externalAccountNumber)] : undefined,
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

function buildBusinessAccount(
  { supplier, externalAccountNumber, seed, serial }: Identity,
  random: Random,
): Account {
  const when = pickSupplyDates(random, 2022);
  const who = pickPerson(random, String(serial));
  const [trade, reference] = random.pick(TRADES);
  const name = `${who.familyName} ${trade} Ltd`;
  const office = pickPlace(random);
  const sites = random.chance(0.3) ? 2 : 1;
  const points = Array.from({ length: sites }, (_, nth) =>
    buildElectricityPoint(random, { seed, serial: serial * 2 + nth }, when, true),
  );
  const accounts = buildBalances(random, points, when.takeover, externalAccountNumber);
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
    customers: [{ ...buildCustomer(random, who, 'everything', when.takeover), label: 'Owner' }],
    supply_addresses: points.map(({ meterPoint }, nth) => ({
      ...supplyLines(pickPlace(random)),
      label: nth === 0 ? 'Main site' : 'Store',
      customer_at_supply_address_from_date: when.supplyStart,
      property_external_identifier: `PROP-${serial}-${nth + 1}`,
      meter_points: [meterPoint],
    })),
    last_billed_to_date: when.takeover,
    ...buildBalanceFields(accounts),
    payment_schedules: [
      {
        means: 'MANUAL',
        trigger: 'BILL',
        start_date: when.takeover,
        delay_strategy: 'WORKING_DAYS',
        delay_days: random.pick([5, 10, 14]),
      },
    ],
    notes: buildNotes(random, when.takeover),
    statements: [buildLastStatement(accounts, externalAccountNumber)],
  };
}

/** Picks the start of supply and a takeover on the first of a month from March 2024 to June 2025. */
function pickSupplyDates(random: Random, firstYear: number): SupplyDates {
  return {
    supplyStart: day(random.between(firstYear, 2023), random.between(2, 11), random.between(1, 28)),
    takeover: firstOfMonth('2024-03-01', random.between(0, 15)),
  };
}

function buildLedgerFields(
  accounts: Balances,
  points: SupplyPoint[],
  random: Random,
  takeover: Day,
  prefix: string,
): Record<string, unknown> {
  const other = random.chance(0.2) ? buildServicesLedger(random, takeover, prefix) : undefined;
  const main = {
    ledger_code: 'MAIN',
    ledger_identifier: 'ledger-energy',
    identifiers: points.map(({ identifier }) => identifier),
    ...buildStatementFields(accounts),
    ledger_balance: formatPounds(accounts.balance),
  };
  return {
    ledgers: other === undefined ? [main] : [main, other.ledger],
    transfer_balance: formatPounds(accounts.balance + (other?.balance ?? 0)),
  };
}

/** The older style without ledgers: balances and transactions of the account itself. */
function buildBalanceFields(accounts: Balances): Record<string, unknown> {
  return { ...buildStatementFields(accounts), transfer_balance: formatPounds(accounts.balance) };
}

function buildStatementFields({
  history,
  current,
  statementBalance,
  closingDate,
  issueDate,
}: Balances): Record<string, unknown> {
  return {
    historical_statement_transactions: history,
    last_statement_balance: formatPounds(statementBalance),
    last_statement_closing_date: closingDate,
    last_statement_issue_date: issueDate,
    current_statement_transactions: current.length > 0 ? current : undefined,
  };
}

/** A monthly direct debit with its mandate; on the main ledger if the account has ledgers. */
function buildPaymentFields(
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
        amount: formatPounds(random.between(40, 260) * 100),
        start_date: addDays(when.supplyStart, 20),
      },
    ],
  };
}

function buildNotes(random: Random, takeover: Day): Record<string, unknown>[] | undefined {
  const count = random.between(0, 3);
  if (count === 0) return undefined;
  return Array.from({ length: count }, (_, nth) => {
    const written = addDays(takeover, -random.between(1, 600));
    const pinned = nth === 0 && random.chance(0.3);
    return {
      body: random.pick(NOTES),
      created_at: momentAt(written, random.between(8, 19), random.between(0, 59)),
      is_pinned: pinned ? true : undefined,
      unpin_at: pinned ? momentAt(addDays(written, 365), 0) : undefined,
      external_id: `note-${nth + 1}`,
    };
  });
}

function buildLastStatement(
  { charged, closingDate, issueDate }: Balances,
  prefix: string,
): Record<string, unknown> {
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
