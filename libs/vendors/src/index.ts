export { type VendorMinute } from './outcome-minutes';
export { type Unavailable, type VendorOutcome, type VerifiedInstruction } from './payment-vendor';
export { PaymentVendors, type VendorObservation } from './payment-vendors';
export { type BreakerState } from './vendor-breaker';
export { VendorsModule } from './vendors.module';
