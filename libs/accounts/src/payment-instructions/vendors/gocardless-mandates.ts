import type { Clock } from '@portage/platform';
import type { GoCardlessClient } from 'gocardless-nodejs';
import type { VendorResponse } from './response-fields';
import {
  type InstructionClaim,
  type PaymentVendor,
  refused,
  type Refused,
  unavailable,
  type VendorOutcome,
} from './payment-vendor';
import { VendorFailure } from './vendor-failure';
import { requestVendor } from './vendor-request';
import type { VendorAccess } from './vendor-access';
import { outcomeOfMandate } from './mandate';

/** The internal SDK members in use: the function that sends requests, and the headers of every request. */
interface SdkApi {
  request: (request: {
    path: string;
    urlParameters: { key: string; value: string }[];
  }) => Promise<{ body: VendorResponse }>;
  getHeaders(token: string): Record<string, string>;
}

/** Verifies direct debits at GoCardless. References are mandates (`MD...`). */
export class GoCardlessMandates implements PaymentVendor {
  readonly code = 'GOCARDLESS';

  constructor(
    private readonly access: VendorAccess,
    private readonly clock: Clock,
  ) {}

  findObjection({ reference, type }: InstructionClaim): Refused | undefined {
    if (type !== 'DIRECT_DEBIT') return refused('instruction_type_not_supported');
    // The reference becomes part of a URL path.
    if (!/^MD\w{1,250}$/.test(reference)) return refused('invalid_reference');
    return undefined;
  }

  async verify(claim: InstructionClaim, timeoutMs: number): Promise<VendorOutcome> {
    if (!this.access.key) return unavailable('vendor_not_configured');
    let mandate: VendorResponse;
    try {
      mandate = { ...(await this.createSdk(this.access.key, timeoutMs).mandates.find(claim.reference)) };
    } catch (error) {
      return error instanceof VendorFailure ? error.outcome : unavailable('vendor_answer_invalid');
    }
    return outcomeOfMandate(mandate, claim);
  }

  /**
   * Creates the SDK for one request. The SDK sends with the defaults of got (two retries, redirects, no timeout) to one
   * of two fixed hosts and has no option to change this. Its send function is therefore replaced by one that applies
   * the limits of this request.
   */
  private createSdk(key: string, timeoutMs: number): GoCardlessClient {
    const { access, clock } = this;
    // Loaded here, because most processes have no key and loading the SDK would slow their start.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- import() cannot load it synchronously
    const library = require('gocardless-nodejs') as typeof import('gocardless-nodejs');
    const sdk = new library.GoCardlessClient(key, library.Environments.Live);
    const api = sdk['_api'] as SdkApi;
    api.request = async ({ path, urlParameters }) => {
      const resolvedPath = urlParameters.reduce(
        (text, { key: name, value }) => text.replace(`:${name}`, encodeURIComponent(value)),
        path,
      );
      const limits = { timeoutMs, maxBytes: access.maxResponseBytes };
      return { body: await requestVendor(access.urlOf(resolvedPath), api.getHeaders(key), limits, clock) };
    };
    return sdk;
  }
}
