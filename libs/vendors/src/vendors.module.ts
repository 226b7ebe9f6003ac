import { Global, Module } from '@nestjs/common';
import { PaymentVendors } from './payment-vendors';

/** The payment vendors of a process. Nothing is asked, and no key is needed, before the first instruction. */
@Global()
@Module({ providers: [PaymentVendors], exports: [PaymentVendors] })
export class VendorsModule {}
