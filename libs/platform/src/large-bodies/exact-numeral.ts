/**
 * True if JSON.parse reads a numeral exactly: the double prints as the same number. `12.340000000000000001` and `1e-400`
 * would become 12.34 and 0. What is no number is left to JSON.parse.
 */
export function isExactNumeral(numeral: string): boolean {
  const value = Number(numeral);
  if (Number.isNaN(value)) return true;
  return Number.isFinite(value) && normalise(numeral) === normalise(String(value));
}

/** The digits of a numeral without zeros at both ends, and the power of ten that they are multiplied with. */
function normalise(numeral: string): string {
  const [mantissa = '', exponent = '0'] = numeral.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${integer}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
