import { AccountBillingOptions } from '../../account/account-billing-options';
import { AccountCampaign } from '../../account/account-campaign';
import { AccountReference } from '../../account/account-reference';
import { Account } from '../../account/account';
import { Address } from '../../account/address';
import { CommissionContract } from '../../account/commission-contract';
import { Complaint, ComplaintContact } from '../../account/complaint';
import { Consent } from '../../account/consent';
import { ContributionAgreement } from '../../account/contribution-agreement';
import { Debt } from '../../account/debt';
import { DepositAgreement } from '../../account/deposit-agreement';
import { DunningPath } from '../../account/dunning-path';
import { PartnerOrganisation } from '../../account/partner-organisation';
import { Portfolio } from '../../account/portfolio';
import { TaskParams } from '../../account/task-params';
import { BusinessPortfolio } from '../../business/business-portfolio';
import { BusinessUser } from '../../business/business-user';
import { Business, BusinessDetail } from '../../business/business';
import { Customer } from '../../customer/customer';
import { Person } from '../../customer/person';
import { PriorityServicesRecord } from '../../customer/priority-services-record';
import { FeedInTariff } from '../../feed-in-tariff/feed-in-tariff';
import { ChargeTransaction } from '../../ledger/charge-transaction';
import { CreditTransaction } from '../../ledger/credit-transaction';
import { Ledger } from '../../ledger/ledger';
import { LineItem } from '../../ledger/line-item';
import { PaymentTransaction } from '../../ledger/payment-transaction';
import { RepaymentTransaction } from '../../ledger/repayment-transaction';
import { SupplyChargeTransaction } from '../../ledger/supply-charge-transaction';
import { TaxItem } from '../../ledger/tax-item';
import { Note } from '../../note/note';
import { PaymentAdequacyChange } from '../../payment/payment-adequacy-change';
import { PaymentInstruction } from '../../payment/payment-instruction';
import { PaymentPlan, PaymentPlanPayment } from '../../payment/payment-plan';
import { PaymentSchedule } from '../../payment/payment-schedule';
import { NotesRequest } from '../../request/notes-request';
import { PaymentInstructionRequest } from '../../request/payment-instruction-request';
import { StatementsRequest } from '../../request/statements-request';
import { TransactionsRequest } from '../../request/transactions-request';
import { Statement } from '../../statement/statement';
import { ElectricityAgreement } from '../../supply/electricity-agreement';
import { ElectricityMeterPoint } from '../../supply/electricity-meter-point';
import { ElectricityMeter } from '../../supply/electricity-meter';
import { GasAgreement } from '../../supply/gas-agreement';
import { GasMeterPoint } from '../../supply/gas-meter-point';
import { GasMeter } from '../../supply/gas-meter';
import { PropertyAdministrator } from '../../supply/property-administrator';
import { SupplyAddress } from '../../supply/supply-address';
import { TaxExemption } from '../../supply/tax-exemption';
import type { ObjectType } from '../../vocabulary/shape';

/** A class, or a base of classes. */
type ScopedType = abstract new () => object;

/**
 * The classes of the objects that rules check, by scope name. A rule runs once for each object of its scope, wherever a
 * body has one, and whether or not other objects of the scope have field errors. Objects of a derived class are of the
 * scopes of its base too.
 */
const SCOPES = {
  account: [Account],
  accountBillingOptions: [AccountBillingOptions],
  accountCampaign: [AccountCampaign],
  accountReference: [AccountReference],
  address: [Address],
  agreement: [ElectricityAgreement, GasAgreement],
  business: [Business],
  businessDetail: [BusinessDetail],
  businessUser: [BusinessUser],
  commissionContract: [CommissionContract],
  complaint: [Complaint],
  complaintContact: [ComplaintContact],
  consent: [Consent],
  contributionAgreement: [ContributionAgreement],
  customer: [Customer],
  debt: [Debt],
  depositAgreement: [DepositAgreement],
  dunningPath: [DunningPath],
  electricityMeter: [ElectricityMeter],
  electricityMeterPoint: [ElectricityMeterPoint],
  feedInTariff: [FeedInTariff],
  gasMeter: [GasMeter],
  gasMeterPoint: [GasMeterPoint],
  ledger: [Ledger],
  lineItem: [LineItem],
  meter: [ElectricityMeter, GasMeter],
  meterPoint: [ElectricityMeterPoint, GasMeterPoint],
  note: [Note],
  notesRequest: [NotesRequest],
  partnerOrganisation: [PartnerOrganisation],
  paymentAdequacyChange: [PaymentAdequacyChange],
  paymentInstruction: [PaymentInstruction],
  paymentInstructionRequest: [PaymentInstructionRequest],
  paymentPlan: [PaymentPlan],
  paymentPlanPayment: [PaymentPlanPayment],
  paymentSchedule: [PaymentSchedule],
  person: [Person],
  portfolio: [Portfolio, BusinessPortfolio],
  priorityServicesRecord: [PriorityServicesRecord],
  propertyAdministrator: [PropertyAdministrator],
  statement: [Statement],
  statementsRequest: [StatementsRequest],
  supplyAddress: [SupplyAddress],
  supplyCharge: [SupplyChargeTransaction],
  taskParams: [TaskParams],
  taxExemption: [TaxExemption],
  taxItem: [TaxItem],
  transaction: [
    CreditTransaction,
    ChargeTransaction,
    PaymentTransaction,
    RepaymentTransaction,
    SupplyChargeTransaction,
  ],
  transactionsRequest: [TransactionsRequest],
} as const satisfies Record<string, readonly ScopedType[]>;

/** The name of a scope. */
export type ScopeName = keyof typeof SCOPES;

/** The types of the objects that rules check, by scope name. */
export type Subjects = { [S in ScopeName]: InstanceType<(typeof SCOPES)[S][number]> };

/** The bodies that have rules. */
export const BODIES_WITH_RULES: ReadonlySet<ObjectType> = new Set<ObjectType>([
  Account,
  TaskParams,
  NotesRequest,
  StatementsRequest,
  TransactionsRequest,
  PaymentInstructionRequest,
]);

/** The scopes of the objects of a class. */
export function scopesOf(type: ObjectType): ScopeName[] {
  return Object.entries<readonly ScopedType[]>(SCOPES)
    .filter(([, classes]) => classes.some((one) => one === type || type.prototype instanceof one))
    .map(([name]) => name as ScopeName);
}
