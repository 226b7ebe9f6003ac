import { catalogue, type CatalogueField, declared } from '../test/catalogue';

/** Where the classes differ from the catalogue on purpose, and why. */
const DECIDED: Record<string, Partial<CatalogueField>> = {
  // Identifiers: any text of up to 128 characters. Account and requests are found by them.
  'Account.import_supplier': { type: 'string', limits: 'max_length=128', values: '' },
  'Account.external_account_number': { presence: 'required' },
  'NotesRequest.import_supplier': { type: 'string', limits: 'max_length=128', values: '' },
  'NotesRequest.external_account_number': { limits: 'max_length=128' },
  'NotesRequest.account_number': { limits: 'max_length=128' },
  'StatementsRequest.import_supplier': { type: 'string', limits: 'max_length=128', values: '' },
  'StatementsRequest.external_account_number': { limits: 'max_length=128' },
  'TransactionsRequest.import_supplier': { type: 'string', limits: 'max_length=128', values: '' },
  'TransactionsRequest.external_account_number': { limits: 'max_length=128' },
  'TransactionsRequest.account_number': { limits: 'max_length=128' },
  'PaymentInstructionRequest.import_supplier': { type: 'string', limits: 'max_length=128', values: '' },
  'PaymentInstructionRequest.external_account_number': { limits: 'max_length=128' },
  // Money that a balance is made of has two decimals.
  'Account.transfer_balance': { type: 'decimal(10,2)' },
  'Account.last_statement_balance': { type: 'decimal(10,2)' },
  'Ledger.ledger_balance': { type: 'decimal(10,2)' },
  'Ledger.last_statement_balance': { type: 'decimal(10,2)' },
  'CreditTransaction.amount': { type: 'decimal(10,2)' },
  'ChargeTransaction.amount': { type: 'decimal(10,2)' },
  'PaymentTransaction.amount': { type: 'decimal(10,2)' },
  'RepaymentTransaction.amount': { type: 'decimal(10,2)' },
  'SupplyChargeTransaction.amount': { type: 'decimal(10,2)' },
  'ContributionAgreement.amount': { type: 'decimal(10,2)' },
  'DepositAgreement.deposit_amount': { type: 'decimal(10,2)' },
  'ElectricityPrepayDetails.credit_balance': { type: 'decimal(10,2)' },
  'ElectricityPrepayDetails.debt_balance': { type: 'decimal(10,2)' },
  'GasPrepayDetails.credit_balance': { type: 'decimal(10,2)' },
  'GasPrepayDetails.debt_balance': { type: 'decimal(10,2)' },
  'GasDebtRepaymentOptions.weekly_min': { type: 'decimal(10,2)' },
  'GasDebtRepaymentOptions.weekly_max': { type: 'decimal(10,2)' },
  // Any number, whatever unit the supplier means.
  'Statement.gross_amount': { type: 'decimal(15,10)' },
  // No e-mail address is longer.
  'Complaint.complainant_email': { limits: 'max_length=254' },
  'Customer.contact_emails': { limits: 'max_length=254' },
  'BusinessUser.contact_emails': { limits: 'max_length=254' },
};

/** Fields that only the classes have. */
const ADDED = ['Account.external_identifier'];

describe('the classes of the contract', () => {
  const expected = catalogue();
  const actual = declared();

  it('have every field of the catalogue and no other', () => {
    expect([...actual.keys()].sort()).toEqual([...expected.keys(), ...ADDED].sort());
  });

  it('say of each field what the catalogue says, save where it was decided otherwise', () => {
    const decided = [...expected].map(([field, said]) => [field, { ...said, ...DECIDED[field] }]);
    expect(Object.fromEntries(actual)).toMatchObject(Object.fromEntries(decided));
  });

  it('differ in nothing that is listed in vain', () => {
    const inVain = Object.keys(DECIDED).filter((field) => {
      const said = expected.get(field);
      return (
        !said ||
        Object.entries(DECIDED[field]!).every(([key, value]) => said[key as keyof CatalogueField] === value)
      );
    });
    expect(inVain).toEqual([]);
  });
});
