import type { AccountBillingOptions } from '../../account/account-billing-options';
import type { AccountCampaign } from '../../account/account-campaign';
import type { AccountReference } from '../../account/account-reference';
import type { Account } from '../../account/account';
import type { Address } from '../../account/address';
import type { CommissionContract } from '../../account/commission-contract';
import type { Complaint, ComplaintContact } from '../../account/complaint';
import type { Consent } from '../../account/consent';
import type { ContributionAgreement } from '../../account/contribution-agreement';
import type { Debt } from '../../account/debt';
import type { DepositAgreement } from '../../account/deposit-agreement';
import type { DunningPath } from '../../account/dunning-path';
import type { PartnerOrganisation } from '../../account/partner-organisation';
import type { Portfolio } from '../../account/portfolio';
import type { TaskParams } from '../../account/task-params';
import type { BusinessPortfolio } from '../../business/business-portfolio';
import type { BusinessUser } from '../../business/business-user';
import type { Business, BusinessDetail } from '../../business/business';
import type { Customer } from '../../customer/customer';
import type { Person } from '../../customer/person';
import type { PriorityServicesRecord } from '../../customer/priority-services-record';
import type { FeedInTariff } from '../../feed-in-tariff/feed-in-tariff';
import type { Ledger } from '../../ledger/ledger';
import type { LineItem } from '../../ledger/line-item';
import type { SupplyChargeTransaction } from '../../ledger/supply-charge-transaction';
import type { Transaction } from '../../ledger/transaction-union';
import type { Note } from '../../note/note';
import type { PaymentAdequacyChange } from '../../payment/payment-adequacy-change';
import type { PaymentInstruction } from '../../payment/payment-instruction';
import type { PaymentPlan, PaymentPlanPayment } from '../../payment/payment-plan';
import type { PaymentSchedule } from '../../payment/payment-schedule';
import type { NotesRequest } from '../../request/notes-request';
import type { PaymentInstructionRequest } from '../../request/payment-instruction-request';
import type { StatementsRequest } from '../../request/statements-request';
import type { TransactionsRequest } from '../../request/transactions-request';
import type { Statement } from '../../statement/statement';
import type { ElectricityAgreement } from '../../supply/electricity-agreement';
import type { ElectricityMeterPoint } from '../../supply/electricity-meter-point';
import type { ElectricityMeter } from '../../supply/electricity-meter';
import type { GasAgreement } from '../../supply/gas-agreement';
import type { GasMeterPoint } from '../../supply/gas-meter-point';
import type { GasMeter } from '../../supply/gas-meter';
import type { MeterPoint } from '../../supply/meter-point-union';
import type { PropertyAdministrator } from '../../supply/property-administrator';
import type { SupplyAddress } from '../../supply/supply-address';
import type { TaxExemption } from '../../supply/tax-exemption';

/**
 * The types of the objects that rules check, by scope name. A rule runs once for each object of its scope, whether
 * or not other objects of the scope have field errors.
 */
export interface Subjects {
  account: Account;
  accountBillingOptions: AccountBillingOptions;
  accountCampaign: AccountCampaign;
  accountReference: AccountReference;
  address: Address;
  agreement: ElectricityAgreement | GasAgreement;
  business: Business;
  businessDetail: BusinessDetail;
  businessUser: BusinessUser;
  commissionContract: CommissionContract;
  complaint: Complaint;
  complaintContact: ComplaintContact;
  consent: Consent;
  contributionAgreement: ContributionAgreement;
  customer: Customer;
  debt: Debt;
  depositAgreement: DepositAgreement;
  dunningPath: DunningPath;
  electricityMeter: ElectricityMeter;
  electricityMeterPoint: ElectricityMeterPoint;
  feedInTariff: FeedInTariff;
  gasMeter: GasMeter;
  gasMeterPoint: GasMeterPoint;
  ledger: Ledger;
  lineItem: LineItem;
  meter: ElectricityMeter | GasMeter;
  meterPoint: MeterPoint;
  note: Note;
  notesRequest: NotesRequest;
  partnerOrganisation: PartnerOrganisation;
  paymentAdequacyChange: PaymentAdequacyChange;
  paymentInstruction: PaymentInstruction;
  paymentInstructionRequest: PaymentInstructionRequest;
  paymentPlan: PaymentPlan;
  paymentPlanPayment: PaymentPlanPayment;
  paymentSchedule: PaymentSchedule;
  person: Person;
  portfolio: Portfolio | BusinessPortfolio;
  priorityServicesRecord: PriorityServicesRecord;
  propertyAdministrator: PropertyAdministrator;
  statement: Statement;
  statementsRequest: StatementsRequest;
  supplyAddress: SupplyAddress;
  supplyCharge: SupplyChargeTransaction;
  taskParams: TaskParams;
  taxExemption: TaxExemption;
  transaction: Transaction;
  transactionsRequest: TransactionsRequest;
}

/** The name of a scope. */
export type ScopeName = keyof Subjects;

/** The scope of a member: a fixed one, or one selected by the member's field `discriminator`. */
export type ChildScope =
  ScopeName | { readonly discriminator: string; readonly variants: Readonly<Record<string, ScopeName>> };

interface ScopeShape {
  /** Wider scopes whose rules also run on these objects. */
  readonly inheritsFrom?: readonly ScopeName[];
  /** Fields that hold an object of another scope, or a list of such objects. */
  readonly fields?: Readonly<Record<string, ChildScope>>;
}

const ANY_TRANSACTION: ChildScope = {
  discriminator: 'type',
  variants: {
    CREDIT: 'transaction',
    CHARGE: 'transaction',
    PAYMENT: 'transaction',
    REPAYMENT: 'transaction',
    SUPPLY_CHARGE: 'supplyCharge',
  },
};

const TRANSACTION_LISTS = {
  historical_statement_transactions: ANY_TRANSACTION,
  current_statement_transactions: ANY_TRANSACTION,
};

const ANY_METER_POINT: ChildScope = {
  discriminator: 'supply_type',
  variants: { ELECTRICITY: 'electricityMeterPoint', GAS: 'gasMeterPoint' },
};

const METER_POINT_LISTS = {
  agreements: 'agreement',
  ccl_exemptions: 'taxExemption',
  vat_exemptions: 'taxExemption',
} as const;

/** The fields in which the objects of each scope are found. Scopes without nested scopes are omitted. */
export const SCOPES: { readonly [S in ScopeName]?: ScopeShape } = {
  account: {
    fields: {
      references: 'accountReference',
      account_campaigns: 'accountCampaign',
      portfolio: 'portfolio',
      customers: 'customer',
      business: 'business',
      partner_organisations: 'partnerOrganisation',
      consents: 'consent',
      complaints: 'complaint',
      notes: 'note',
      commission_contracts: 'commissionContract',
      billing_address: 'address',
      supply_addresses: 'supplyAddress',
      fit: 'feedInTariff',
      account_billing_options: 'accountBillingOptions',
      statements: 'statement',
      ledgers: 'ledger',
      ...TRANSACTION_LISTS,
      debts: 'debt',
      debt: 'debt',
      dunning_path: 'dunningPath',
      deposit_agreements: 'depositAgreement',
      contribution_agreements: 'contributionAgreement',
      payment_instructions: 'paymentInstruction',
      payment_schedules: 'paymentSchedule',
      payment_plans: 'paymentPlan',
      payment_adequacy_changes: 'paymentAdequacyChange',
    },
  },
  business: {
    fields: { details: 'businessDetail', portfolios: 'portfolio', users: 'businessUser' },
  },
  businessUser: { inheritsFrom: ['person'] },
  complaint: { fields: { complaint_contacts: 'complaintContact' } },
  customer: { inheritsFrom: ['person'], fields: { consents: 'consent', psr: 'priorityServicesRecord' } },
  electricityMeter: { inheritsFrom: ['meter'] },
  electricityMeterPoint: {
    inheritsFrom: ['meterPoint'],
    fields: { ...METER_POINT_LISTS, meters: 'electricityMeter' },
  },
  gasMeter: { inheritsFrom: ['meter'] },
  gasMeterPoint: { inheritsFrom: ['meterPoint'], fields: { ...METER_POINT_LISTS, meters: 'gasMeter' } },
  ledger: { fields: TRANSACTION_LISTS },
  notesRequest: { fields: { notes: 'note' } },
  paymentPlan: { fields: { payments: 'paymentPlanPayment' } },
  portfolio: { fields: { notes: 'note' } },
  statementsRequest: { fields: { statements: 'statement' } },
  supplyAddress: {
    fields: { property_administrators: 'propertyAdministrator', meter_points: ANY_METER_POINT },
  },
  supplyCharge: { inheritsFrom: ['transaction'], fields: { line_items: 'lineItem' } },
  transactionsRequest: { fields: { transactions: ANY_TRANSACTION } },
};
