export {
  type InstructionClaim,
  type InstructionDetails,
  type PaymentVendor,
  type Refused,
  type Unavailable,
  type VendorOutcome,
  type Verified,
  type VerifiedInstruction,
} from './payment-vendor';
export { PaymentVendors } from './payment-vendors';
export { VendorsModule } from './vendors.module';
