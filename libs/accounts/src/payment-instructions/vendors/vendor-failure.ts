import type { Refused, Unavailable } from './payment-vendor';

/**
 * Carries an outcome through the SDK of a vendor. It has no message, cause or `code`, so that no SDK interprets it.
 */
export class VendorFailure extends Error {
  override readonly name = 'VendorFailure';

  constructor(readonly outcome: Refused | Unavailable) {
    super();
  }
}
