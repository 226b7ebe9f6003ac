import type { Clock } from '@portage/platform';
import { outcomeOfMandate } from './mandate';
import {
  type InstructionClaim,
  type PaymentVendor,
  refused,
  type Refused,
  unavailable,
  type VendorOutcome,
} from './payment-vendor';
import { readObject } from './response-fields';
import type { VendorAccess } from './vendor-access';
import { requestVendor } from './vendor-request';

/** The version of the API whose responses are read. */
const API_VERSION = '2015-07-06';

/** Verifies direct debits at GoCardless. References are mandates (`MD...`). */
export class GoCardlessMandates implements PaymentVendor {
  readonly code = 'GOCARDLESS';

  constructor(
    private readonly access: VendorAccess,
    private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return Boolean(this.access.key);
  }

  findObjection({ reference, type }: InstructionClaim): Refused | undefined {
    if (type !== 'DIRECT_DEBIT') return refused('instruction_type_not_supported');
    // The reference becomes part of a URL path.
    if (!/^MD\w{1,250}$/.test(reference)) return refused('invalid_reference');
    return undefined;
  }

  async verify(claim: InstructionClaim, timeoutMs: number): Promise<VendorOutcome> {
    const { access } = this;
    if (!access.key) return unavailable('vendor_not_configured');
    const answer = await requestVendor(
      access.urlOf(`/mandates/${claim.reference}`),
      { authorization: `Bearer ${access.key}`, 'gocardless-version': API_VERSION },
      { timeoutMs, maxBytes: access.maxResponseBytes },
      this.clock,
    );
    return answer.outcome === 'answered'
      ? outcomeOfMandate(readObject(answer.body['mandates']), claim)
      : answer;
  }
}
