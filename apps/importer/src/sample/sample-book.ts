import { type Account, account, anyKind, type Identity } from './account';
import { FAULTS } from './faults';
import { Random } from './random';

export interface SampleBookOptions {
  /** Valid accounts. */
  accounts: number;
  faulty: number;
  seed: number;
  supplier: string;
}

/** What a correct service makes of a book. */
export interface ExpectedResult {
  accounts: number;
  processed: number;
  /** Accounts by the code of their first error. */
  refused: Record<string, number>;
}

/** Accounts from here on are the faulty ones; see Identity.serial. */
const FIRST_FAULTY_SERIAL = 4_000_000;

/** One account in twenty comes wrapped with its task parameters, the other form the API takes. */
const WRAPPED_SHARE = 0.05;

/**
 * The lines of a sample book, each with its line feed: valid accounts with faulty ones strewn among them. The same
 * options give the same bytes. A generator, so that a book of any length takes constant memory.
 */
export function* sampleBook({ accounts, faulty, seed, supplier }: SampleBookOptions): Generator<string> {
  const order = new Random(seed, 'order');
  const identity = (serial: number): Identity => identityOf({ seed, supplier }, serial);
  let valid = 0;
  let spoilt = 0;
  while (valid + spoilt < accounts + faulty) {
    // Selection sampling: exactly so many faulty ones in the end, and every order as likely as any other.
    const left = accounts + faulty - valid - spoilt;
    if (order.between(1, left) <= faulty - spoilt) {
      yield faultyLine(identity(FIRST_FAULTY_SERIAL + spoilt), seed, spoilt);
      spoilt += 1;
    } else {
      yield validLine(identity(valid));
      valid += 1;
    }
  }
}

/** The valid account with this serial number, as it stands in every book of the seed that is long enough. */
export function sampleAccount(
  options: Pick<SampleBookOptions, 'seed' | 'supplier'>,
  serial: number,
): Account {
  return validAccount(identityOf(options, serial)).made;
}

export function expectedResult({ accounts, faulty }: SampleBookOptions): ExpectedResult {
  const refused: Record<string, number> = {};
  for (let nth = 0; nth < faulty; nth++) {
    const { code } = fault(nth);
    refused[code] = (refused[code] ?? 0) + 1;
  }
  return { accounts: accounts + faulty, processed: accounts, refused };
}

function identityOf(
  { seed, supplier }: Pick<SampleBookOptions, 'seed' | 'supplier'>,
  serial: number,
): Identity {
  const externalAccountNumber = `${supplier}-${seed}-${String(serial).padStart(7, '0')}`;
  return { supplier, externalAccountNumber, seed, serial };
}

function validAccount(identity: Identity): { made: Account; random: Random } {
  const random = new Random(identity.seed, 'account', identity.serial);
  return { made: account(anyKind(random), identity, random), random };
}

function validLine(identity: Identity): string {
  const { made, random } = validAccount(identity);
  const wrapped = random.chance(WRAPPED_SHARE);
  return `${JSON.stringify(wrapped ? { payload: made, task_params: { is_dry_run: false } } : made)}\n`;
}

function faultyLine(identity: Identity, seed: number, nth: number): string {
  const random = new Random(seed, 'faulty', identity.serial);
  return `${fault(nth).line(account('electricity-only', identity, random))}\n`;
}

function fault(nth: number): (typeof FAULTS)[number] {
  return FAULTS[nth % FAULTS.length] ?? FAULTS[0];
}
