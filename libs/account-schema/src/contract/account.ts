import { companyNumber, deliveryPointIdentifier, email, postcode } from '../formats/formats';
import { AMOUNTS } from '../vocabulary/amounts';
import {
  CalendarDate,
  Choice,
  Code,
  Flag,
  Identifier,
  Integer,
  ListOf,
  Money,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import {
  AccountBillingOptions,
  AccountCampaign,
  AccountReference,
  Address,
  CommissionContract,
  Complaint,
  Consent,
  MetadataItem,
  PartnerOrganisation,
  WarmHomeDiscount,
} from './account-details';
import { Business, BUSINESS_TYPES } from './business';
import { Customer } from './customer';
import { ContributionAgreement, Debt, DepositAgreement, DunningPath } from './debts';
import { Note, Statement } from './documents';
import { FeedInTariff } from './feed-in-tariff';
import { Ledger } from './ledger';
import {
  anyPaymentPreference,
  PaymentAdequacyChange,
  PaymentInstruction,
  PaymentPlan,
  type PaymentPreference,
  PaymentPromise,
  PaymentSchedule,
} from './payments';
import { Portfolio } from './portfolio';
import { SupplyAddress } from './supply-address';
import { anyTransaction, type Transaction } from './transactions';

/** The published account types. */
export const ACCOUNT_TYPES = [
  'DOMESTIC',
  'BUSINESS',
  'MANAGED',
  'PORTFOLIO_LEAD',
  'DOMESTIC_VACANT',
  'BUSINESS_VACANT',
  'DOMESTIC_OCCUPIER',
  'BUSINESS_OCCUPIER',
  'SYSTEM',
  'DOMESTIC_THIRD_PARTY_BILLED',
  'BUSINESS_THIRD_PARTY_BILLED',
] as const;

/** The published sales channels. */
export const SALES_CHANNELS = [
  'DIRECT',
  'PRICE_COMPARISON',
  'TELESALES',
  'DIGI_TELESALES',
  'EVENTS',
  'FIELD_SALES',
  'AGGREGATOR',
  'PARTNERSHIPS',
  'NEW_TENANT',
  'MOVE_IN',
  'WORKPLACE_POP_UP',
  'BROKER',
  'PARENT_POWER',
  'PEOPLE_POWER',
  'GIFT_OF_KIT',
  'HIGH_REFERRER',
  'SUPPLIER_OF_LAST_RESORT',
  'ACQUISITION',
  'LANDLORD',
  'DEBT_COLLECTION_AGENCY',
  '',
] as const;

const COMMUNICATION_PREFERENCES = ['ONLINE', 'PRINT'] as const;
const ACCESSIBLE_FORMATS = ['LARGE_PRINT', 'BRAILLE', 'SPOKEN', ''] as const;
const LANGUAGES = ['en-gb', 'en-us', 'es-419', 'fr-fr'] as const;
const READ_FREQUENCIES = ['MONTHLY', 'DAILY', 'HALF_HOURLY', 'DENIED', ''] as const;

@About('A customer account of a supplier: its customers, supply, billing, balances and payments.')
export class Account {
  // Identification

  @Identifier('Code of the import supplier, assigned by the operator.', {
    required: true,
    example: 'LEGACY_A',
  })
  import_supplier: string;

  @Identifier("The account's number in the supplier's system; identifies the account in later requests.", {
    required: true,
    example: 'A-100231',
  })
  external_account_number: string;

  @Identifier('Identifier of the import process; defaults to the account number.')
  external_identifier?: string;

  @ListOf('Identifiers of the account in other systems.', AccountReference) references?: AccountReference[];

  @ListOf('Additional facts by key, for which the contract has no field.', MetadataItem)
  metadata?: MetadataItem[];

  // Account type

  @Choice('Kind of account.', ACCOUNT_TYPES, { example: 'DOMESTIC' })
  account_type?: (typeof ACCOUNT_TYPES)[number];

  @Flag('Whether the account is managed.', { nullable: true, deprecated: 'account_type' })
  is_managed?: boolean | null;

  @Flag('Whether the account leads a portfolio; it then has no supply of its own.', {
    nullable: true,
    deprecated: 'account_type',
  })
  is_portfolio_lead?: boolean | null;

  @Flag('Whether the occupier is unknown; the account then has no customers.', { nullable: true })
  unknown_occupier?: boolean | null;

  @Text("Team that looks after the account, from the operator's list.", {
    example: 'North desk',
    list: 'operations_teams',
  })
  operations_team_name?: string;

  @ListOf('Campaigns that the account takes part in.', AccountCampaign) account_campaigns?: AccountCampaign[];

  @Nested('Portfolio that the account belongs to.', Portfolio, { nullable: true })
  portfolio?: Portfolio | null;

  // Customers and business

  @ListOf('The people on the account.', Customer, { inExample: true }) customers?: Customer[];
  @Nested('The company behind the account.', Business) business?: Business;

  @Choice('Legal form of the company.', [...BUSINESS_TYPES, ''], { deprecated: 'business.business_type' })
  business_type?: (typeof BUSINESS_TYPES)[number] | '';

  @Text('Number of the company in the register.', {
    maxLength: 100,
    format: companyNumber,
    deprecated: 'business.company_number',
  })
  company_number?: string;

  @ListOf('Partner organisations related to the account.', PartnerOrganisation)
  partner_organisations?: PartnerOrganisation[];

  @ListOf('Consents for the whole account, at most one of each type.', Consent) consents?: Consent[];
  @ListOf('Open complaints.', Complaint) complaints?: Complaint[];
  @ListOf('Notes about the account.', Note) notes?: Note[];

  // Sale

  @CalendarDate('Day on which the customer signed up.', { example: '2021-02-11' }) date_of_sale?: string;

  @Choice("Sales channel; the supplier's settings may provide or override it.", SALES_CHANNELS, {
    default: 'DIRECT',
    example: 'TELESALES',
  })
  sales_channel?: (typeof SALES_CHANNELS)[number];

  @Text("Details of the sales channel as text; the supplier's settings may override them.")
  sales_subchannel?: string;

  @Text(
    'Subdomain of the partner who referred the customer, case-insensitive; determines the sales channel.',
    { nullable: true },
  )
  affiliate_subdomain?: string | null;

  @ListOf("Commissions of brokers on the account's supply points.", CommissionContract, { tier: 'gbr' })
  commission_contracts?: CommissionContract[];

  // Billing address and communication

  @Nested('Structured billing address; sent instead of the numbered lines.', Address)
  billing_address?: Address;

  @Text('First line of the billing address.', { maxLength: 512, example: '4 Weir Cottages' })
  billing_address1?: string;

  @Text('Second line of the billing address.', { maxLength: 512, example: 'Mill Lane' })
  billing_address2?: string;
  @Text('Third line of the billing address.', { maxLength: 512 }) billing_address3?: string;
  @Text('Fourth line of the billing address.', { maxLength: 512 }) billing_address4?: string;
  @Text('Fifth line of the billing address.', { maxLength: 512 }) billing_address5?: string;

  @Text('Postcode of the billing address given as numbered lines.', {
    maxLength: 512,
    format: postcode,
    example: 'NN99 9ZZ',
  })
  billing_postcode?: string;

  @Text('Identifier of the billing address in the national address register.', {
    maxLength: 11,
    format: deliveryPointIdentifier,
  })
  billing_delivery_point_identifier?: string;

  @Text('Name on bills; defaults to the names of the customers.', {
    maxLength: 510,
    example: 'Mrs M and Mr T Aldous',
  })
  billing_name?: string;

  @Text('Second line of the name on bills.', { maxLength: 256 }) billing_sub_name?: string;
  @Text('Person or department that bills are addressed to.', { maxLength: 256 })
  billing_attention_of?: string;
  @Text("The customer's own reference, printed on bills.", { maxLength: 256 })
  billing_customer_reference?: string;

  @Text('E-mail address that bills are sent to.', { maxLength: 254, format: email, nullable: true })
  billing_email?: string | null;

  @Choice('Whether bills and letters are sent online or on paper.', COMMUNICATION_PREFERENCES, {
    default: 'ONLINE',
  })
  communication_preference?: (typeof COMMUNICATION_PREFERENCES)[number];

  @Choice('Accessible format for documents.', ACCESSIBLE_FORMATS, { default: '' })
  document_accessibility?: (typeof ACCESSIBLE_FORMATS)[number];

  @Choice('Language of messages.', LANGUAGES, { example: 'en-gb' })
  language_preference?: (typeof LANGUAGES)[number];

  // Supply

  @ListOf('The properties that are supplied.', SupplyAddress, { inExample: true })
  supply_addresses?: SupplyAddress[];

  @CalendarDate(
    'First day that the old system has not billed; meter points, meters and registers may have their own.',
    { example: '2024-06-01' },
  )
  last_billed_to_date?: string;

  @Choice('Reading frequency of smart meters.', READ_FREQUENCIES, { tier: 'gbr' })
  smart_read_frequency?: (typeof READ_FREQUENCIES)[number];

  @Integer('Day of the month, 1 to 28, on which smart meters are billed.', { tier: 'gbr' })
  smart_read_cycle_day?: number;

  @Nested('Generation under the feed-in tariff.', FeedInTariff, { tier: 'gbr' }) fit?: FeedInTariff;

  @ListOf('Payments made under the warm home discount.', WarmHomeDiscount, { tier: 'gbr' })
  warm_home_discount?: WarmHomeDiscount[];

  // Billing

  @Nested('Billing calendar of the account.', AccountBillingOptions)
  account_billing_options?: AccountBillingOptions;

  @CalendarDate('Day on which the next bill is due.', { nullable: true }) next_bill_due_date?: string | null;
  @ListOf('Historical statements, as documents.', Statement) statements?: Statement[];

  // Balances and debts

  @Money('Balance carried over.', { amount: AMOUNTS.balance, example: '61.50' }) transfer_balance?: string;

  @ListOf("Ledgers with their balances and transactions; sent instead of the account's own.", Ledger, {
    inExample: true,
  })
  ledgers?: Ledger[];

  @Money('Closing balance of the last issued statement.', {
    amount: AMOUNTS.balance,
    deprecated: 'ledgers.last_statement_balance',
  })
  last_statement_balance?: string;

  @CalendarDate('Last day of that statement; separates historical from current transactions.', {
    deprecated: 'ledgers.last_statement_closing_date',
  })
  last_statement_closing_date?: string;

  @CalendarDate('Day on which that statement was issued; defaults to its closing date.', {
    deprecated: 'ledgers.last_statement_issue_date',
  })
  last_statement_issue_date?: string;

  @ListOf('Billed transactions; they sum to the last balance.', anyTransaction)
  historical_statement_transactions?: Transaction[];

  @ListOf('Unbilled transactions; with the last balance they sum to `transfer_balance`.', anyTransaction)
  current_statement_transactions?: Transaction[];

  @ListOf('Overdue debts.', Debt) debts?: Debt[];
  @Nested('A single debt; superseded by the list.', Debt, { deprecated: 'debts' }) debt?: Debt;
  @Nested('Sequence of reminders for arrears.', DunningPath) dunning_path?: DunningPath;
  @ListOf('Security deposit; at most one.', DepositAgreement) deposit_agreements?: DepositAgreement[];

  @ListOf('Agreements to pay fixed amounts into schemes.', ContributionAgreement)
  contribution_agreements?: ContributionAgreement[];

  // Payments

  @ListOf('Mandates to collect payments.', PaymentInstruction) payment_instructions?: PaymentInstruction[];

  @Code('Reference of the active direct debit mandate.', {
    maxLength: 512,
    deprecated: 'payment_instructions.reference',
  })
  dd_reference?: string;

  @ListOf('Payment preference of each ledger.', anyPaymentPreference)
  payment_preferences?: PaymentPreference[];

  @ListOf('When and how payments are collected.', PaymentSchedule) payment_schedules?: PaymentSchedule[];
  @ListOf('Payment plans, with each payment agreed individually.', PaymentPlan) payment_plans?: PaymentPlan[];
  @ListOf('Payments promised by the customer.', PaymentPromise) payment_promises?: PaymentPromise[];

  @CalendarDate(
    'Day of the last payment review, not in the future; sent instead of the reviews themselves.',
    { nullable: true },
  )
  last_payment_review_date?: string | null;

  @ListOf('Completed payment reviews.', PaymentAdequacyChange)
  payment_adequacy_changes?: PaymentAdequacyChange[];
}
