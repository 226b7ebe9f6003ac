import {
  AccountBillingOptions,
  AccountCampaign,
  AccountReference,
  Address,
  CommissionContract,
  Complaint,
  ComplaintContact,
  Consent,
  PartnerOrganisation,
} from '../../contract/account-details';
import { Account } from '../../contract/account';
import { ContributionAgreement, Debt, DepositAgreement, DunningPath } from '../../contract/debts';
import { BusinessPortfolio, Portfolio } from '../../contract/portfolio';
import {
  NotesRequest,
  PaymentInstructionRequest,
  StatementsRequest,
  TaskParams,
  TransactionsRequest,
} from '../../contract/requests';
import { Business, BusinessDetail, BusinessUser } from '../../contract/business';
import { Customer, Person, PriorityServicesRecord } from '../../contract/customer';
import { FeedInTariff } from '../../contract/feed-in-tariff';
import {
  ChargeTransaction,
  CreditTransaction,
  LineItem,
  PaymentTransaction,
  RepaymentTransaction,
  SupplyChargeTransaction,
  TaxItem,
} from '../../contract/transactions';
import { Ledger } from '../../contract/ledger';
import { Note, Statement } from '../../contract/documents';
import {
  PaymentAdequacyChange,
  PaymentInstruction,
  PaymentPlan,
  PaymentPlanPayment,
  PaymentSchedule,
} from '../../contract/payments';
import { ElectricityAgreement, GasAgreement } from '../../contract/agreements';
import { ElectricityMeterPoint, GasMeterPoint } from '../../contract/meter-points';
import { ElectricityMeter, GasMeter } from '../../contract/meters';
import { PropertyAdministrator, SupplyAddress } from '../../contract/supply-address';
import { TaxExemption } from '../../contract/settlement';
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
