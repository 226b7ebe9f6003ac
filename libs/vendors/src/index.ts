export { type Unavailable, type VendorOutcome, type VerifiedInstruction } from './payment-vendor';
export { PaymentVendors } from './payment-vendors';
export { VendorsModule } from './vendors.module';
