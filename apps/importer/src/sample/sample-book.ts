import { type Account, buildAccount, type Identity, pickKind } from './account';
import { FAULTS } from './faults';
import { Random } from './random';

/** The options of a sample book. */
export interface SampleBookOptions {
  /** Number of valid accounts. */
  accounts: number;
  faulty: number;
  seed: number;
  supplier: string;
}

/** The result that a correct service gives for a book. */
export interface ExpectedResult {
  accounts: number;
  processed: number;
  /** Refused accounts by the code of their first error. */
  refused: Record<string, number>;
}

/** Serial numbers from here are for faulty accounts; see Identity.serial. */
const FIRST_FAULTY_SERIAL = 4_000_000;

/** Share of accounts that are wrapped with task parameters, the other form that the API accepts. */
const WRAPPED_SHARE = 0.05;

/**
 * Generates the lines of a sample book, each with its line feed: valid accounts, with faulty ones at random positions.
 * The same options give the same bytes. A book of any length takes constant memory.
 */
export function* sampleBook({ accounts, faulty, seed, supplier }: SampleBookOptions): Generator<string> {
  const order = new Random(seed, 'order');
  const identity = (serial: number): Identity => buildIdentity({ seed, supplier }, serial);
  let validCount = 0;
  let faultyCount = 0;
  while (validCount + faultyCount < accounts + faulty) {
    // Selection sampling: the number of faulty accounts is exact, and all orders are equally likely.
    const remaining = accounts + faulty - validCount - faultyCount;
    if (order.between(1, remaining) <= faulty - faultyCount) {
      yield buildFaultyLine(identity(FIRST_FAULTY_SERIAL + faultyCount), seed, faultyCount);
      faultyCount += 1;
    } else {
      yield buildValidLine(identity(validCount));
      validCount += 1;
    }
  }
}

/** The valid account with this serial number, which is the same in every book with this seed. */
export function sampleAccount(
  options: Pick<SampleBookOptions, 'seed' | 'supplier'>,
  serial: number,
): Account {
  return buildValidAccount(buildIdentity(options, serial)).account;
}

/** The result that a correct service gives for the book with these options. */
export function expectedResult({ accounts, faulty }: SampleBookOptions): ExpectedResult {
  const refused: Record<string, number> = {};
  for (let nth = 0; nth < faulty; nth++) {
    const { code } = faultAt(nth);
    refused[code] = (refused[code] ?? 0) + 1;
  }
  return { accounts: accounts + faulty, processed: accounts, refused };
}

function buildIdentity(
  { seed, supplier }: Pick<SampleBookOptions, 'seed' | 'supplier'>,
  serial: number,
): Identity {
  const externalAccountNumber = `${supplier}-${seed}-${String(serial).padStart(7, '0')}`;
  return { supplier, externalAccountNumber, seed, serial };
}

function buildValidAccount(identity: Identity): { account: Account; random: Random } {
  const random = new Random(identity.seed, 'account', identity.serial);
  return { account: buildAccount(pickKind(random), identity, random), random };
}

function buildValidLine(identity: Identity): string {
  const { account, random } = buildValidAccount(identity);
  const wrapped = random.chance(WRAPPED_SHARE);
  return `${JSON.stringify(wrapped ? { payload: account, task_params: { is_dry_run: false } } : account)}\n`;
}

function buildFaultyLine(identity: Identity, seed: number, nth: number): string {
  const random = new Random(seed, 'faulty', identity.serial);
  return `${faultAt(nth).line(buildAccount('electricity-only', identity, random))}\n`;
}

function faultAt(nth: number): (typeof FAULTS)[number] {
  return FAULTS[nth % FAULTS.length] ?? FAULTS[0];
}
