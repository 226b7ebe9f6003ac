import { DigitCounts, type Doubt, doubtAbout } from '../mapping/doubtful-text';
import { guessDays, guessNumbers } from '../mapping/init/value-forms';
import { dayReader } from '../mapping/day-form';
import { decimalReader } from '../mapping/decimal-form';

/** How many different values of a field are counted; beyond them only their number is unknown. */
export const MAX_VALUES = 10_000;

/** How many different forms of a field are counted. */
const MAX_FORMS = 1000;

/** The values that the order of a field is found from. */
const SAMPLE = 1000;

/** The longest part of a value that is held. */
const MAX_LENGTH = 100;

/** How many values, forms and doubts of a field are shown. */
const SHOWN = 5;
const SHOWN_FORMS = 10;

/** The characters of values that a profile may still hold, for all its fields together. */
export class ValueBudget {
  constructor(private characters = 50_000_000) {}

  take(text: string): boolean {
    this.characters -= text.length;
    return this.characters >= 0;
  }
}

/** What is known about the values of a field. */
export interface FieldSummary {
  readonly name: string;
  readonly filled: number;
  /** The number of different values; if isMore is true, there are more. */
  readonly distinct: number;
  readonly isMore: boolean;
  readonly shortest: number;
  readonly longest: number;
  /** How values were compared. */
  readonly order: string;
  readonly smallest: string;
  readonly largest: string;
  /** The most frequent values, or those of the first that were counted. */
  readonly frequent: readonly { readonly text: string; readonly count: number }[];
  readonly forms: number;
  readonly hasMoreForms: boolean;
  readonly frequentForms: readonly { readonly text: string; readonly count: number }[];
  /** Forms that one value has, each with its row. */
  readonly rareForms: readonly { readonly text: string; readonly row: number }[];
  /** How many more forms one value has. */
  readonly otherRareForms: number;
  /** The values that do not have the form of the order, and the first of them. */
  readonly exceptions: { readonly count: number; readonly text: string; readonly row: number } | undefined;
  readonly doubts: readonly { doubt: Doubt; count: number; text: string; row: number }[];
}

interface Order {
  readonly name: string;
  /** Undefined for a value of another form. */
  readonly key: (text: string) => string | number | undefined;
}

/** Collects what is known about the values of a field, in bounded memory. */
export class FieldProfile {
  private filled = 0;
  private shortest = Infinity;
  private longest = 0;
  private isMore = false;
  private hasMoreForms = false;
  private order: Order | undefined;
  private waiting: { text: string; row: number }[] = [];
  private smallest: { key: string | number; text: string } | undefined;
  private largest: { key: string | number; text: string } | undefined;
  private exceptions: { count: number; text: string; row: number } | undefined;
  private readonly values = new Map<string, number>();
  private readonly forms = new Map<string, { count: number; row: number }>();
  private readonly doubts = new Map<Doubt, { doubt: Doubt; count: number; text: string; row: number }>();

  private readonly digits: DigitCounts;

  constructor(
    readonly name: string,
    private readonly budget: ValueBudget,
  ) {
    this.digits = new DigitCounts(name);
  }

  /** Takes a value that is not empty. */
  add(value: string, row: number): void {
    this.filled += 1;
    this.shortest = Math.min(this.shortest, value.length);
    this.longest = Math.max(this.longest, value.length);
    const text = value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
    this.count(text);
    this.countForm(formOf(text), row);
    const doubt = doubtAbout(value);
    if (doubt !== undefined) {
      const known = this.doubts.get(doubt);
      if (known) known.count += 1;
      else this.doubts.set(doubt, { doubt, count: 1, text, row });
    }
    this.digits.add(value, row);
    if (this.order !== undefined) this.compare(text, row, this.order);
    else if (this.waiting.push({ text, row }) === SAMPLE) this.decideOrder();
  }

  summary(): FieldSummary {
    const order = this.order ?? this.decideOrder();
    const forms = [...this.forms].map(([text, { count, row }]) => ({ text, count, row }));
    const rare = forms.filter(({ count }) => count === 1);
    return {
      name: this.name,
      filled: this.filled,
      distinct: this.values.size,
      isMore: this.isMore,
      shortest: this.filled === 0 ? 0 : this.shortest,
      longest: this.longest,
      order: order.name,
      smallest: this.smallest?.text ?? '',
      largest: this.largest?.text ?? '',
      frequent: mostFrequent([...this.values].map(([text, count]) => ({ text, count }))),
      forms: forms.length,
      hasMoreForms: this.hasMoreForms,
      frequentForms: mostFrequent(forms.filter(({ count }) => count > 1)),
      rareForms: rare.slice(0, SHOWN_FORMS).map(({ text, row }) => ({ text, row })),
      otherRareForms: Math.max(0, rare.length - SHOWN_FORMS),
      exceptions: this.exceptions,
      doubts: [...this.doubts.values(), ...this.lostZeros()],
    };
  }

  private lostZeros(): FieldSummary['doubts'] {
    const lost = this.digits.lostZeros();
    return lost === undefined ? [] : [{ doubt: 'lost_zeros', ...lost }];
  }

  private count(text: string): void {
    const known = this.values.get(text);
    if (known !== undefined) this.values.set(text, known + 1);
    else if (this.values.size < MAX_VALUES && !this.isMore && this.budget.take(text))
      this.values.set(text, 1);
    else this.isMore = true;
  }

  private countForm(form: string, row: number): void {
    const known = this.forms.get(form);
    if (known) known.count += 1;
    else if (this.forms.size < MAX_FORMS) this.forms.set(form, { count: 1, row });
    else this.hasMoreForms = true;
  }

  private decideOrder(): Order {
    const order = orderOf(this.waiting.map(({ text }) => text));
    this.order = order;
    for (const { text, row } of this.waiting) this.compare(text, row, order);
    this.waiting = [];
    return order;
  }

  private compare(text: string, row: number, order: Order): void {
    const key = order.key(text);
    if (key === undefined) {
      if (this.exceptions) this.exceptions.count += 1;
      else this.exceptions = { count: 1, text, row };
      return;
    }
    if (this.smallest === undefined || key < this.smallest.key) this.smallest = { key, text };
    if (this.largest === undefined || key > this.largest.key) this.largest = { key, text };
  }
}

/** The order of days or numbers if that is plain from the values, else that of texts. */
function orderOf(values: readonly string[]): Order {
  const days = guessDays(values);
  if (days.is === 'plain') return { name: `days as ${days.form}`, key: dayReader(days.form, 'date') };
  const numbers = guessNumbers(values);
  if (numbers.is === 'plain') {
    const read = decimalReader(numbers.form, 'decimal');
    const { decimal, thousands = '' } = numbers.form;
    const key = (text: string) => {
      const number = read(text);
      return number === undefined ? undefined : Number(number);
    };
    const isWhole = values.every((value) => /^[+-]?\d+$/.test(value));
    return { name: isWhole ? 'whole numbers' : `numbers as 1${thousands}234${decimal}56`, key };
  }
  return { name: 'text', key: (text) => text };
}

/** The form of a text: digits become 9, and runs of letters become A. */
function formOf(text: string): string {
  return text.replaceAll(/\p{L}+/gu, 'A').replaceAll(/\p{N}/gu, '9');
}

function mostFrequent(
  all: readonly { readonly text: string; readonly count: number }[],
): { text: string; count: number }[] {
  return [...all]
    .sort((one, other) => other.count - one.count)
    .slice(0, SHOWN)
    .map(({ text, count }) => ({ text, count }));
}
