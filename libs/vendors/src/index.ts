export {
  VENDOR_CODES,
  type FailureCode,
  type InstructionClaim,
  type InstructionDetails,
  type PaymentVendor,
  type RefusalCode,
  type Refused,
  type Unavailable,
  type VendorCode,
  type VendorOutcome,
  type Verified,
  type VerifiedInstruction,
} from './payment-vendor';
export { PaymentVendors } from './payment-vendors';
export { VendorsModule } from './vendors.module';
