import { bodyFields, type FieldType } from '../account-fields';
import type { ColumnSample, FileSample } from './column-sample';
import type { Guess } from './csv-guess';
import { guessChildKey, guessKey } from './guess-keys';
import { areMobile, guessValue, scalar } from './guess-value';
import { GuessedAccount, type GuessedEach, type GuessedLeaf, type ListStart } from './guessed-account';
import {
  ANY_PHONE,
  knownColumn,
  type KnownColumn,
  NEXT_LINE,
  READINGS,
  REGISTER_FIELD,
} from './known-columns';

/** Stands in the mapping until its reader gives the supplier's code. */
const SUPPLIER_PLACEHOLDER = 'YOUR_SUPPLIER_CODE';

const SUPPLY_ADDRESSES = 'supply_addresses[]';

/** Fields besides those that identify items whose repeated columns show that there are several items. */
const ITEM_FIELDS = [
  'customers[].given_name',
  'customers[].family_name',
  `${READINGS}.reading_value`,
  `${READINGS}.reading_date`,
];

/** A mapping that was guessed. */
export interface GuessedMapping {
  readonly sources: readonly GuessedSource[];
  readonly account: GuessedAccount;
}

export interface GuessedSource {
  readonly sample: FileSample;
  readonly key: Guess<string>;
  /** The columns that are not mapped, with what is known about each. */
  readonly unused: readonly { readonly column: ColumnSample; readonly note: string }[];
}

/** A column and the field that its name suggests. */
interface Suggestion {
  readonly column: ColumnSample;
  readonly known: KnownColumn;
  readonly field: string;
  /** The number at the end of its name; 1 without one. */
  readonly number: number;
}

/** Guesses a mapping from samples of files, that of the accounts first. */
export function guessMapping(accounts: FileSample, children: readonly FileSample[]): GuessedMapping {
  const account = new GuessedAccount();
  const { fields } = account.root;
  fields.set(
    'import_supplier',
    leaf(`{ value: ${SUPPLIER_PLACEHOLDER} }`, 'not known: write the code that the operator has given you'),
  );
  const key = guessKey(accounts);
  fields.set('external_account_number', leaf(scalar(key.value), 'guess: it is the key'));
  const main = new SourceGuess(accounts, account, key, false);
  main.add(suggest(accounts).filter(({ field }) => field !== 'external_account_number'));
  const others = children.map((child) => {
    const suggestions = suggest(child).filter(({ field }) => field.includes('[]'));
    // Rows that belong to the items of another file, and not to accounts.
    const shared = suggestions.find(({ known }) => account.identifyingColumn(known.identifies) !== undefined);
    const match = account.identifyingColumn(shared?.known.identifies);
    const source =
      shared === undefined
        ? new SourceGuess(child, account, guessChildKey(child, accounts, key.value), true)
        : new SourceGuess(
            child,
            account,
            { value: shared.column.name, reason: `it is ${match} of another file` },
            true,
            match,
          );
    source.add(suggestions.filter((one) => one !== shared));
    return source;
  });
  main.addSupplyAddress();
  return { account, sources: [main, ...others].map((source) => source.outcome()) };
}

/** The guesses about the columns of one file. */
class SourceGuess {
  private readonly used: Set<string>;
  private readonly notes = new Map<string, string>();
  private suggestions: readonly Suggestion[] = [];
  private repeated: readonly string[] = [];

  constructor(
    private readonly sample: FileSample,
    private readonly account: GuessedAccount,
    private readonly key: Guess<string>,
    /** True if the rows are items of lists. */
    private readonly isChild: boolean,
    /** The column of the rows around that has the key, if it is not their own key. */
    private readonly match?: string,
  ) {
    this.used = new Set([key.value]);
  }

  add(suggestions: readonly Suggestion[]): void {
    this.suggestions = suggestions;
    this.repeated = this.isChild ? [] : repeatedLists(suggestions);
    for (const one of suggestions) this.addOne(one);
    const balance = suggestions.find(({ field }) => field === 'transfer_balance');
    if (balance !== undefined)
      this.addOne(
        { ...balance, field: 'last_statement_balance' },
        'the same as transfer_balance if no transactions are sent',
      );
    const register = suggestions.find(({ field }) => field === REGISTER_FIELD);
    if (register !== undefined && suggestions.some(({ field }) => field.startsWith(READINGS)))
      this.addOne({ ...register, field: `${READINGS}.register_id` });
  }

  /** Takes the billing address for that of the supply, if the file has no other one and there are supplies. */
  addSupplyAddress(): void {
    const { fields } = this.account.root;
    if (!fields.has('supply_addresses') || this.suggestions.some(({ field }) => isSupplyAddress(field)))
      return;
    for (const one of this.suggestions) {
      const field = one.field.replace(/^billing_(address\d|postcode)$/, `${SUPPLY_ADDRESSES}.supply_$1`);
      if (isSupplyAddress(field)) this.addOne({ ...one, field }, 'the file has no other address');
    }
  }

  outcome(): GuessedSource {
    const unused = this.sample.columns
      .filter(({ name }) => !this.used.has(name))
      .map((column) => ({ column, note: this.notes.get(column.name) ?? 'its name says no field' }));
    return { sample: this.sample, key: this.key, unused };
  }

  private addOne({ column, known, field, number }: Suggestion, reason = 'by its name'): void {
    const type = typeAt(field);
    const value = type && guessValue(column, field, type);
    if (value === undefined) {
      this.notes.set(column.name, `its name says ${plainPath(field)}, and its values do not fit`);
      return;
    }
    const object = this.account.open(
      field,
      (start) => this.begin(start),
      (list) => (this.repeated.includes(list) ? number : 1),
    );
    const name = field.slice(field.lastIndexOf('.') + 1);
    if (object.fields.has(name)) {
      this.notes.set(column.name, `its name says ${plainPath(field)}, which is another column already`);
      return;
    }
    const because = [reason, value.reason].filter((part) => part !== '').join('; ');
    object.fields.set(name, {
      ...value,
      is: 'value',
      reason: `${value.isOpen ? 'open' : 'guess'}: ${because}`,
    });
    if (value.isOpen) this.notes.set(column.name, `open: see ${plainPath(field)} above`);
    else this.used.add(column.name);
    if (known.implies !== undefined)
      object.fields.set(
        known.implies.field,
        leaf(`{ value: ${known.implies.value} }`, `guess: by the name ${column.name}`),
      );
  }

  /** The list is of this file if it has columns of its items. */
  private begin({ path, around }: ListStart): GuessedEach | undefined {
    const isOwn = this.suggestions.some(({ field }) => parentList(field) === path);
    if (!this.isChild || !isOwn) return undefined;
    const source = this.sample.settings.name;
    const by = this.suggestions.find(({ known }) => known.identifies === path)?.column.name;
    if (by !== undefined) this.used.add(by);
    return { source, by, match: around === source ? undefined : this.match };
  }
}

/** What the names of the columns suggest. */
function suggest({ columns }: FileSample): Suggestion[] {
  const found = columns.flatMap((column): Suggestion[] => {
    const { known, number = 1 } = knownColumn(column.name) ?? {};
    if (known === undefined) return [];
    const field = known.field === ANY_PHONE ? phoneField(column) : known.field;
    return [{ column, known, field: field.replace('{n}', String(number)), number }];
  });
  const hasStatement = found.some(({ field }) => field === 'statements[].statement_id');
  const taken = new Set(found.map(({ field }) => field));
  return found
    .filter(({ field }) => hasStatement || !field.startsWith('statements[]'))
    .map((one) => {
      if (!one.field.endsWith(NEXT_LINE)) return one;
      const lines = [1, 2, 3, 4, 5].map((line) => one.field.replace(NEXT_LINE, String(line)));
      const last = lines.findLastIndex((line) => taken.has(line));
      const field = lines[Math.min(last + 1, 4)] as string;
      taken.add(field);
      return { ...one, field };
    });
}

function phoneField(column: ColumnSample): string {
  return areMobile(column) ? 'customers[].mobile' : 'customers[].landline';
}

/** The lists whose items have columns of their own, such as MPAN_1 and MPAN_2: the outermost of each branch. */
function repeatedLists(suggestions: readonly Suggestion[]): string[] {
  const repeated = suggestions
    .filter(({ field, known }) => known.identifies !== undefined || ITEM_FIELDS.includes(field))
    .filter((one) => suggestions.some((other) => other.field === one.field && other.number !== one.number))
    .map(({ field }) => parentList(field));
  return repeated.filter((list) => !repeated.some((outer) => outer !== list && list.startsWith(`${outer}.`)));
}

/** The innermost list that has a field. */
function parentList(field: string): string {
  return field.slice(0, field.lastIndexOf('[]') + 2);
}

function isSupplyAddress(field: string): boolean {
  return /^supply_addresses\[\]\.supply_(address\d|postcode)$/.test(field);
}

/** A path without the marks of lists. */
function plainPath(field: string): string {
  return field.replaceAll('[]', '');
}

/** The type of a field, or of the items of a list. */
function typeAt(field: string): FieldType | undefined {
  let type: FieldType | undefined = bodyFields('account');
  for (const part of field.split('.')) {
    if (type?.is !== 'object') return undefined;
    type = type.fields.get(part.replace('[]', ''))?.();
    if (part.endsWith('[]')) type = type?.is === 'list' ? type.items : undefined;
  }
  return type;
}

function leaf(form: string, reason: string): GuessedLeaf {
  return { is: 'value', forms: [form], reason, isOpen: false };
}
