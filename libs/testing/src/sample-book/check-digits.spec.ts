import { mpan, mprn } from './check-digits';

it.each(['1000000000110', '1000000000129', '1000000000147'])('MPAN %s ends in its check digit', (whole) => {
  expect(mpan(whole.slice(0, -1))).toBe(whole);
});

it.each(['9900010107'])('MPRN %s ends in its check digits', (whole) => {
  expect(mprn(whole.slice(0, -2))).toBe(whole);
});
