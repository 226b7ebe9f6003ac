const MPAN_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** Appends the check digit of an MPAN. @param body the first 12 digits */
export function mpan(body: string): string {
  const sum = MPAN_WEIGHTS.reduce((total, weight, position) => total + weight * Number(body[position]), 0);
  return `${body}${(sum % 11) % 10}`;
}

/** Appends the check digits of an MPRN. @param body all digits except the two check digits */
export function mprn(body: string): string {
  const sum = Array.from(body).reduce(
    (total, digit, position) => total + Number(digit) * (body.length - position),
    0,
  );
  return `${body}${String(sum % 11).padStart(2, '0')}`;
}
