import { Global, Module } from '@nestjs/common';
import { CONFIG, Logger, Metrics } from '@portage/platform';
import { PaymentVendors, type VendorSettings } from './payment-vendors';

/** Provides {@link PaymentVendors} to every module. No key is needed before the first instruction is verified. */
@Global()
@Module({
  providers: [
    {
      provide: PaymentVendors,
      inject: [CONFIG, Metrics, Logger],
      useFactory: (config: VendorSettings, metrics: Metrics, logger: Logger) =>
        new PaymentVendors(config, metrics, logger),
    },
  ],
  exports: [PaymentVendors],
})
export class VendorsModule {}
