/** The unit and the sign of a number that is an amount of money, in the words of the OpenAPI document and of the docs. */
export interface Amount {
  readonly unit: string;
  readonly sign: string;
}

const MAJOR = 'major units of the currency, such as pounds';
const MINOR = 'the lowest denomination of the currency, such as pence';

const BALANCE = 'a credit of the customer is positive, a debt of the customer is negative';
const CHARGE = 'a charge to the customer is positive';
const PAYMENT = 'a payment of the customer is positive';
const PRICE = 'a price that the customer pays is positive';

/** The meanings that amounts of the contract have. docs/contract.md lists the fields of each. */
export const AMOUNTS = {
  balance: { unit: MAJOR, sign: BALANCE },
  reversible: {
    unit: MAJOR,
    sign: 'the type says whether it is for or against the customer; a negative amount reverses an earlier one',
  },
  transfer: { unit: MAJOR, sign: 'always positive; the type says who is paid' },
  charge: { unit: MAJOR, sign: CHARGE },
  payment: { unit: MAJOR, sign: PAYMENT },
  debt: { unit: MAJOR, sign: 'a debt of the customer is positive' },
  meterCredit: { unit: MAJOR, sign: 'a credit of the customer is positive' },
  price: { unit: `${MAJOR}, for one unit`, sign: PRICE },
  taxRate: {
    unit: `a proportion, or ${MAJOR}, for one kWh, as \`unit_type\` says`,
    sign: 'a tax that the customer pays is positive',
  },
  penceOfUnit: { unit: 'pence for one unit', sign: PRICE },
  penceOfDay: { unit: 'pence for one day', sign: PRICE },
  pence: { unit: 'pence', sign: PRICE },
  minorTotal: { unit: MINOR, sign: CHARGE },
  minorPayment: { unit: MINOR, sign: PAYMENT },
  minorBalance: { unit: MINOR, sign: BALANCE },
  minorIncrease: { unit: MINOR, sign: 'an increase of the monthly payment is positive' },
} as const satisfies Record<string, Amount>;

/** The sentences about an amount that end the description of its field. */
export function describeAmount({ unit, sign }: Amount): string {
  return `Unit: ${unit}. Sign: ${sign}.`;
}
