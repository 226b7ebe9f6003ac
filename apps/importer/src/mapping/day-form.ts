import { failAt } from './yaml-node';

const PARTS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<shortYear>\\d{2})',
  MM: '(?<month>\\d{2})',
  dd: '(?<day>\\d{2})',
  M: '(?<month>\\d{1,2})',
  d: '(?<day>\\d{1,2})',
};

/** Two digits of a year below this one are of this century. */
const FIRST_OF_1900S = 70;

/** Reads a day written in one form as YYYY-MM-DD; undefined if the text has another form or is no day. */
export type DayReader = (text: string) => string | undefined;

/**
 * Compiles a form of days such as dd/MM/yyyy, or dd.MM.yyyy 00:00:00. `yy` is 1970 to 2069.
 *
 * @throws UsageError if the form does not have one day, one month and one year
 */
export function dayReader(form: string, path: string): DayReader {
  const parts = form.match(/[A-Za-z]+|[^A-Za-z]+/g) ?? [];
  const names: string[] = [];
  const pattern = parts.map((part) => {
    const known = PARTS[part];
    if (known !== undefined) names.push(part.charAt(0));
    else if (/[A-Za-z]/.test(part)) names.push('?');
    return known ?? part.replaceAll(/[^\w\s]/g, '\\$&');
  });
  if (names.sort().join('') !== 'Mdy')
    failAt(path, 'Give a form with one each of dd or d, MM or M, yyyy or yy, such as dd/MM/yyyy.');
  const expression = new RegExp(`^${pattern.join('')}$`);
  return (text) => {
    const { year, shortYear, month = '', day = '' } = expression.exec(text)?.groups ?? {};
    if (month === '') return undefined;
    const century = Number(shortYear) < FIRST_OF_1900S ? '20' : '19';
    const fullYear = year ?? `${century}${shortYear}`;
    const [numberOfMonth, numberOfDay] = [Number(month), Number(day)];
    const isMonth = numberOfMonth >= 1 && numberOfMonth <= 12;
    if (!isMonth || numberOfDay < 1 || numberOfDay > lastDayOf(Number(fullYear), numberOfMonth))
      return undefined;
    return `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  };
}

/** The number of the last day of a month, which is counted from 1. */
function lastDayOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
