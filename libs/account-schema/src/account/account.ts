import { Business, BUSINESS_TYPES } from '../business/business';
import { Customer } from '../customer/customer';
import { FeedInTariff } from '../feed-in-tariff/feed-in-tariff';
import { deliveryPointIdentifier } from '../formats/codes';
import { companyNumber } from '../formats/company-number';
import { email } from '../formats/email';
import { postcode } from '../formats/postcode';
import { Ledger } from '../ledger/ledger';
import { anyTransaction, type Transaction } from '../ledger/transaction-union';
import { Note } from '../note/note';
import { PaymentAdequacyChange } from '../payment/payment-adequacy-change';
import { PaymentInstruction } from '../payment/payment-instruction';
import { PaymentPlan } from '../payment/payment-plan';
import { anyPaymentPreference, type PaymentPreference } from '../payment/payment-preference';
import { PaymentPromise } from '../payment/payment-promise';
import { PaymentSchedule } from '../payment/payment-schedule';
import { Statement } from '../statement/statement';
import { SupplyAddress } from '../supply/supply-address';
import {
  CalendarDate,
  Choice,
  Flag,
  Identifier,
  Integer,
  ListOf,
  Money,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AccountBillingOptions } from './account-billing-options';
import { AccountCampaign } from './account-campaign';
import { ACCOUNT_TYPES, SALES_CHANNELS } from './account-choices';
import { AccountReference } from './account-reference';
import { Address } from './address';
import { CommissionContract } from './commission-contract';
import { Complaint } from './complaint';
import { Consent } from './consent';
import { ContributionAgreement } from './contribution-agreement';
import { Debt } from './debt';
import { DepositAgreement } from './deposit-agreement';
import { DunningPath } from './dunning-path';
import { MetadataItem } from './metadata-item';
import { PartnerOrganisation } from './partner-organisation';
import { Portfolio } from './portfolio';
import { WarmHomeDiscount } from './warm-home-discount';

@About('A customer account as the supplier hands it over: who is on it, what is supplied, what is owed.')
export class Account {
  // Which account it is.

  @Identifier('Code of the import supplier, as the operator gave it.', {
    required: true,
    example: 'LEGACY_A',
  })
  import_supplier: string;

  @Identifier("The account's number in the supplier's system; later requests find the account by it.", {
    required: true,
    example: 'A-100231',
  })
  external_account_number: string;

  @Identifier('What the import process is asked for by; the account number unless given.')
  external_identifier?: string;

  @ListOf('What other systems call the account.', AccountReference)
  references?: AccountReference[];

  @ListOf('Facts that the contract has no field for, by name.', MetadataItem)
  metadata?: MetadataItem[];

  // What kind of account it is.

  @Choice('Kind of account.', ACCOUNT_TYPES, { example: 'DOMESTIC' })
  account_type?: string;

  @Flag('Whether the account is managed.', { nullable: true, deprecated: 'account_type' })
  is_managed?: boolean | null;

  @Flag('Whether the account leads a portfolio; it then has no supply of its own.', {
    nullable: true,
    deprecated: 'account_type',
  })
  is_portfolio_lead?: boolean | null;

  @Flag('Whether nobody knows who lives there; there are then no customers.', { nullable: true })
  unknown_occupier?: boolean | null;

  @Text('Team that will look after the account, as the operator lists it.', { example: 'North desk' })
  operations_team_name?: string;

  @ListOf('Labels that put it into groups.', AccountCampaign)
  account_campaigns?: AccountCampaign[];

  @Nested('Portfolio that the account belongs to.', Portfolio, { nullable: true })
  portfolio?: Portfolio | null;

  // Who is behind it.

  @ListOf('The people on the account.', Customer, { inExample: true })
  customers?: Customer[];

  @Nested('The company behind the account.', Business)
  business?: Business;

  @Choice('Legal form of the company.', [...BUSINESS_TYPES, ''], { deprecated: 'business.business_type' })
  business_type?: string;

  @Text('Number of the company in the register.', {
    max: 100,
    format: companyNumber,
    deprecated: 'business.company_number',
  })
  company_number?: string;

  @ListOf('Organisations that have to do with it.', PartnerOrganisation)
  partner_organisations?: PartnerOrganisation[];

  @ListOf('Consents for the whole account, one of a type.', Consent)
  consents?: Consent[];

  @ListOf('Complaints that are not settled.', Complaint)
  complaints?: Complaint[];

  @ListOf('Notes about the account.', Note)
  notes?: Note[];

  // How it was sold.

  @CalendarDate('Day on which the customer signed up.', { example: '2021-02-11' })
  date_of_sale?: string;

  @Choice("Channel of the sale; the supplier's own settings may fill it or override it.", SALES_CHANNELS, {
    default: 'DIRECT',
    example: 'TELESALES',
  })
  sales_channel?: string;

  @Text("More about the channel, in words; the supplier's settings may override it.")
  sales_subchannel?: string;

  @Text('Subdomain of the partner who brought the customer, in any case; sets the channel of the sale.', {
    nullable: true,
  })
  affiliate_subdomain?: string | null;

  @ListOf('What brokers earn on its supply points.', CommissionContract, { tier: 'gbr' })
  commission_contracts?: CommissionContract[];

  // Where and how to write to it.

  @Nested('Billing address taken apart; instead of the numbered lines.', Address)
  billing_address?: Address;

  @Text('First line of the billing address.', { max: 512, example: '4 Weir Cottages' })
  billing_address1?: string;

  @Text('Second line.', { max: 512, example: 'Mill Lane' })
  billing_address2?: string;

  @Text('Third line.', { max: 512 })
  billing_address3?: string;

  @Text('Fourth line.', { max: 512 })
  billing_address4?: string;

  @Text('Fifth line.', { max: 512 })
  billing_address5?: string;

  @Text('Postcode of the numbered lines.', { max: 512, format: postcode, example: 'NN99 9ZZ' })
  billing_postcode?: string;

  @Text("The billing address's identifier in the national register.", {
    max: 11,
    format: deliveryPointIdentifier,
  })
  billing_delivery_point_identifier?: string;

  @Text('Name on bills; that of the customers unless given.', { max: 510, example: 'Mrs M and Mr T Aldous' })
  billing_name?: string;

  @Text('Second line of the name on bills.', { max: 256 })
  billing_sub_name?: string;

  @Text('Person or department that bills are addressed to.', { max: 256 })
  billing_attention_of?: string;

  @Text("The customer's own reference, printed on bills.", { max: 256 })
  billing_customer_reference?: string;

  @Text('Where bills are sent by e-mail.', { max: 254, format: email, nullable: true })
  billing_email?: string | null;

  @Choice('Whether bills and letters go online or on paper.', ['ONLINE', 'PRINT'], { default: 'ONLINE' })
  communication_preference?: string;

  @Choice('Form in which documents can be read.', ['LARGE_PRINT', 'BRAILLE', 'SPOKEN', ''], { default: '' })
  document_accessibility?: string;

  @Choice('Language of messages.', ['en-gb', 'en-us', 'es-419', 'fr-fr'], { example: 'en-gb' })
  language_preference?: string;

  // What is supplied.

  @ListOf('The properties that are supplied.', SupplyAddress, { inExample: true })
  supply_addresses?: SupplyAddress[];

  @CalendarDate(
    'First day that the old system has not billed; meter points, meters and registers may have their own.',
    {
      example: '2024-06-01',
    },
  )
  last_billed_to_date?: string;

  @Choice('How often smart meters are read.', ['MONTHLY', 'DAILY', 'HALF_HOURLY', 'DENIED', ''], {
    tier: 'gbr',
  })
  smart_read_frequency?: string;

  @Integer('Day of the month, 1 to 28, on which smart meters are billed.', { tier: 'gbr' })
  smart_read_cycle_day?: number;

  @Nested('What the customer generates under the feed-in tariff.', FeedInTariff, { tier: 'gbr' })
  fit?: FeedInTariff;

  @ListOf('Payments of the warm home discount that were made.', WarmHomeDiscount, { tier: 'gbr' })
  warm_home_discount?: WarmHomeDiscount[];

  // How it is billed.

  @Nested('How often, and from which day, it is billed.', AccountBillingOptions)
  account_billing_options?: AccountBillingOptions;

  @CalendarDate('Day on which the next bill is due.', { nullable: true })
  next_bill_due_date?: string | null;

  @ListOf('Statements of the past, as documents.', Statement)
  statements?: Statement[];

  // What is owed.

  @Money('Balance carried over: above zero in favour of the customer.', { example: '61.50' })
  transfer_balance?: string;

  @ListOf('Running balances with their transactions; instead of those of the account itself.', Ledger, {
    inExample: true,
  })
  ledgers?: Ledger[];

  @Money('Balance at the end of the last statement issued.', { deprecated: 'ledgers.last_statement_balance' })
  last_statement_balance?: string;

  @CalendarDate('Last day of that statement: what is older is history, what is younger is current.', {
    deprecated: 'ledgers.last_statement_closing_date',
  })
  last_statement_closing_date?: string;

  @CalendarDate('Day that statement was issued; the day it closed unless given.', {
    deprecated: 'ledgers.last_statement_issue_date',
  })
  last_statement_issue_date?: string;

  @ListOf('What has been billed; it adds up to the last balance.', anyTransaction)
  historical_statement_transactions?: Transaction[];

  @ListOf('What is still to be billed; with the last balance it makes up `transfer_balance`.', anyTransaction)
  current_statement_transactions?: Transaction[];

  @ListOf('What is overdue.', Debt)
  debts?: Debt[];

  @Nested('The one debt, from when there could be only one.', Debt, { deprecated: 'debts' })
  debt?: Debt;

  @Nested('Reminders that the account is to go through.', DunningPath)
  dunning_path?: DunningPath;

  @ListOf('Security deposit; one at most.', DepositAgreement)
  deposit_agreements?: DepositAgreement[];

  @ListOf('Fixed sums that the customer pays into schemes.', ContributionAgreement)
  contribution_agreements?: ContributionAgreement[];

  // How it is paid.

  @ListOf('Mandates to collect payments.', PaymentInstruction)
  payment_instructions?: PaymentInstruction[];

  @Text('Reference of the mandate in force.', { max: 512, deprecated: 'payment_instructions.reference' })
  dd_reference?: string;

  @ListOf('Which mandate each ledger is paid through.', anyPaymentPreference)
  payment_preferences?: PaymentPreference[];

  @ListOf('When and how payments are collected.', PaymentSchedule)
  payment_schedules?: PaymentSchedule[];

  @ListOf('Payments agreed upon one by one.', PaymentPlan)
  payment_plans?: PaymentPlan[];

  @ListOf('Payments that were promised.', PaymentPromise)
  payment_promises?: PaymentPromise[];

  @CalendarDate(
    'Day of the last review of payments, today at the latest; instead of the reviews themselves.',
    {
      nullable: true,
    },
  )
  last_payment_review_date?: string | null;

  @ListOf('Finished reviews of payments.', PaymentAdequacyChange)
  payment_adequacy_changes?: PaymentAdequacyChange[];
}
