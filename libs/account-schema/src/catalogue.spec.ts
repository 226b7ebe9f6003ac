import { catalogue, type CatalogueField, declaredFields } from '../test/catalogue';

/** Fields that intentionally differ from the catalogue, with the reason. */
const INTENTIONAL_DIFFERENCES: Record<string, Partial<CatalogueField>> = {
  // Identifiers are texts of up to 128 characters, by which accounts are looked up.
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
  // Amounts that are part of a balance have two decimals.
  'Account.transfer_balance': { type: 'decimal(10,2)' },
  'Account.last_statement_balance': { type: 'decimal(10,2)' },
  'Ledger.ledger_balance': { type: 'decimal(10,2)' },
  'Ledger.last_statement_balance': { type: 'decimal(10,2)' },
  'CreditTransaction.amount': { type: 'decimal(10,2)' },
  'ChargeTransaction.amount': { type: 'decimal(10,2)' },
  'PaymentTransaction.amount': { type: 'decimal(10,2)' },
  'RepaymentTransaction.amount': { type: 'decimal(10,2)' },
  'SupplyChargeTransaction.amount': { type: 'decimal(10,2)' },
  // Suppliers use different units, so any number is accepted.
  'Statement.gross_amount': { type: 'decimal(15,10)' },
  // The maximum length of an e-mail address.
  'Complaint.complainant_email': { limits: 'max_length=254' },
  'Customer.contact_emails': { limits: 'max_length=254' },
  'BusinessUser.contact_emails': { limits: 'max_length=254' },
};

/** Fields that are not in the catalogue. */
const ADDED_FIELDS = [
  'Account.external_identifier',
  // The body of the request that processes a staged account.
  'ProcessAccountRequest.import_supplier_code',
  'ProcessAccountRequest.external_account_number',
  'ProcessAccountRequest.operations_team_name',
  'ProcessAccountRequest.dry_run',
];

describe('the classes of the contract', () => {
  const expected = catalogue();
  const actual = declaredFields();

  it('have exactly the fields of the catalogue', () => {
    expect([...actual.keys()].sort()).toEqual([...expected.keys(), ...ADDED_FIELDS].sort());
  });

  it('agree with the catalogue about each field, except for intentional differences', () => {
    const decided = [...expected].map(([field, said]) => [
      field,
      { ...said, ...INTENTIONAL_DIFFERENCES[field] },
    ]);
    expect(Object.fromEntries(actual)).toMatchObject(Object.fromEntries(decided));
  });

  it('differ in every field that is listed as intentionally different', () => {
    const inVain = Object.keys(INTENTIONAL_DIFFERENCES).filter((field) => {
      const said = expected.get(field);
      return (
        !said ||
        Object.entries(INTENTIONAL_DIFFERENCES[field]!).every(
          ([key, value]) => said[key as keyof CatalogueField] === value,
        )
      );
    });
    expect(inVain).toEqual([]);
  });
});
