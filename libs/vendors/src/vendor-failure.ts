import { type Refused, type Unavailable } from './payment-vendor';

/** Carries an outcome through a vendor's SDK. Has no message, cause or `code`, so that no SDK makes anything of it. */
export class VendorFailure extends Error {
  override readonly name = 'VendorFailure';

  constructor(readonly outcome: Refused | Unavailable) {
    super();
  }
}
