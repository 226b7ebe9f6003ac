export { type FieldError, type SchemaContext, type Validated, type ValidationProfile } from './context';
export { openApiSchemas } from './openapi/schemas';
export { compileContract, validateAccount, validateBody, validateObject } from './validate';
export { checkDatabaseRules } from './rules/check-database-rules';
export { inPayloadOrder } from './rules/engine/payload-order';
export { type PlacedFile, placedFiles } from './rules/terms/placed-files';
export { type AccountLookups, type ChargedPeriod, type ReferenceValue } from './rules/operator/lookups';
export { type ReferenceData, type ReferenceList, REFERENCE_LISTS } from './rules/operator/reference-data';
export { readReferenceData, type ReferenceDataReading } from './rules/operator/read-reference-data';
export { earliestBilledTo } from './rules/terms/last-billed-to-date';
export { References } from './rules/operator/references';
export { type RuleSettings } from './rules/operator/rule-settings';
export {
  INSTANCE_DEFAULTS,
  INSTANCE_SETTINGS,
  type InstanceSettings,
  SUPPLIER_DEFAULTS,
  SUPPLIER_SETTINGS,
  type SupplierSettings,
} from './rules/operator/settings';
export { AccountBillingOptions } from './account/account-billing-options';
export { AccountCampaign } from './account/account-campaign';
export { AccountReference } from './account/account-reference';
export { Account } from './account/account';
export { Address } from './account/address';
export { CommissionContract } from './account/commission-contract';
export { ComplaintContact, Complaint } from './account/complaint';
export { Consent } from './account/consent';
export { ContributionPeriod, ContributionAgreement } from './account/contribution-agreement';
export { AgedDebt, Debt } from './account/debt';
export { DepositAgreement } from './account/deposit-agreement';
export { DunningPath } from './account/dunning-path';
export { MetadataItem } from './account/metadata-item';
export { PartnerOrganisation } from './account/partner-organisation';
export { PortfolioReference, PortfolioSettings, Portfolio } from './account/portfolio';
export { TaskParams } from './account/task-params';
export { WarmHomeDiscount } from './account/warm-home-discount';
export { BusinessPortfolio } from './business/business-portfolio';
export { BusinessUser } from './business/business-user';
export { BusinessDetail, Business } from './business/business';
export { AlternativePhoneNumber } from './customer/alternative-phone-number';
export { CustomerPreferences } from './customer/customer-preferences';
export { Customer } from './customer/customer';
export { PriorityServicesRecord } from './customer/priority-services-record';
export { UserDetail } from './customer/user-detail';
export { FeedInTariff } from './feed-in-tariff/feed-in-tariff';
export { FitAddress, FitCreditHold, FitExtension, FitInstallation } from './feed-in-tariff/fit-installation';
export { FitReading, FitMeter } from './feed-in-tariff/fit-meter';
export { ChargeTransaction } from './ledger/charge-transaction';
export { CreditTransaction } from './ledger/credit-transaction';
export { LedgerRef, Ledger } from './ledger/ledger';
export { LineItem } from './ledger/line-item';
export { PaymentTransaction } from './ledger/payment-transaction';
export { RepaymentTransaction } from './ledger/repayment-transaction';
export { SupplyChargeTransaction } from './ledger/supply-charge-transaction';
export { TaxItem } from './ledger/tax-item';
export { type Transaction } from './ledger/transaction-union';
export { NoteDocument, Note } from './note/note';
export { PaymentAdequacyChange } from './payment/payment-adequacy-change';
export { PaymentInstruction } from './payment/payment-instruction';
export { PaymentPlanComponent, PaymentPlanPayment, PaymentPlan } from './payment/payment-plan';
export {
  ExistingInstructionRef,
  NewInstructionRef,
  ActiveExistingPreference,
  ActiveNewPreference,
  PassivePreference,
  type PaymentPreference,
} from './payment/payment-preference';
export { PaymentPromise } from './payment/payment-promise';
export { Instalment, PaymentSchedule } from './payment/payment-schedule';
export { ValidateAccountRequest, ScheduleAccountRequest } from './request/account-request';
export { NotesRequest } from './request/notes-request';
export { PaymentInstructionRequest } from './request/payment-instruction-request';
export { StatementsRequest } from './request/statements-request';
export { TransactionsRequest } from './request/transactions-request';
export { Statement } from './statement/statement';
export { AgentContract, MeterPointAgents } from './supply/agent-contract';
export { AgreementIntermediary, RateOverride } from './supply/agreement';
export { BespokeRegisterRate, ElectricityBespokeRate, GasBespokeRate } from './supply/bespoke-rate';
export { ElectricityAgreement } from './supply/electricity-agreement';
export { ElectricityMeterPoint } from './supply/electricity-meter-point';
export { ElectricityMeter } from './supply/electricity-meter';
export { GasAgreement } from './supply/gas-agreement';
export { GasMeterPoint } from './supply/gas-meter-point';
export { GasMeter } from './supply/gas-meter';
export { type MeterPoint } from './supply/meter-point-union';
export { ElectricityPrepayDetails, GasDebtRepaymentOptions, GasPrepayDetails } from './supply/prepay-details';
export {
  SalesChannelCharacteristic,
  ElectricityPaymentMethodCharacteristic,
  MeterRateProfileCharacteristic,
  GasRegionCharacteristic,
  GasPaymentMethodCharacteristic,
  type ProductCharacteristic,
} from './supply/product-characteristic';
export { PropertyAdministrator } from './supply/property-administrator';
export { Reading, HistoricalReading } from './supply/reading';
export { Register } from './supply/register';
export { CapacityValue, ConfigurationPeriod, EacEntry, AqEntry } from './supply/settlement';
export { SmartInterest, SmartSiteVisit } from './supply/smart-metering';
export { SupplyAddress } from './supply/supply-address';
export { TaxExemption } from './supply/tax-exemption';
