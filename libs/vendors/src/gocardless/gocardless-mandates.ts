import { type Clock } from '@portage/domain';
import { Environments, GoCardlessClient } from 'gocardless-nodejs';
import { type Answer } from '../answer-fields';
import {
  type InstructionClaim,
  type PaymentVendor,
  refused,
  type Refused,
  unavailable,
  type VendorOutcome,
} from '../payment-vendor';
import { VendorFailure } from '../vendor-failure';
import { askVendor } from '../vendor-question';
import { type VendorAccess } from '../vendor-access';
import { outcomeOfMandate } from './mandate';

/** What of the SDK's inside is used: how its services ask, and the headers that go with every question. */
interface SdkApi {
  request: (question: {
    path: string;
    urlParameters: { key: string; value: string }[];
  }) => Promise<{ body: Answer }>;
  getHeaders(token: string): Record<string, string>;
}

/** Direct debits that GoCardless collects: mandates, `MD...`. */
export class GoCardlessMandates implements PaymentVendor {
  readonly code = 'GOCARDLESS';

  constructor(
    private readonly access: VendorAccess,
    private readonly clock: Clock,
  ) {}

  objection({ reference, type }: InstructionClaim): Refused | undefined {
    if (type !== 'DIRECT_DEBIT') return refused('instruction_type_not_supported');
    // It becomes part of a path.
    if (!/^MD\w{1,250}$/.test(reference)) return refused('invalid_reference');
    return undefined;
  }

  async verify(claim: InstructionClaim, timeoutMs: number): Promise<VendorOutcome> {
    if (!this.access.key) return unavailable('vendor_not_configured');
    let mandate: Answer;
    try {
      mandate = { ...(await this.sdk(this.access.key, timeoutMs).mandates.find(claim.reference)) };
    } catch (error) {
      return error instanceof VendorFailure ? error.outcome : unavailable('vendor_answer_invalid');
    }
    return outcomeOfMandate(mandate, claim);
  }

  /**
   * The SDK for one question. It sends through got with got's defaults (two retries, redirects, no time-out) to one of
   * two fixed addresses, and has no option for any of it; so what it sends with is replaced, for this question's limits.
   */
  private sdk(key: string, timeoutMs: number): GoCardlessClient {
    const { access, clock } = this;
    const sdk = new GoCardlessClient(key, Environments.Live);
    const api = sdk['_api'] as SdkApi;
    api.request = async ({ path, urlParameters }) => {
      const filled = urlParameters.reduce(
        (text, { key: name, value }) => text.replace(`:${name}`, encodeURIComponent(value)),
        path,
      );
      const limits = { timeoutMs, maxBytes: access.maxAnswerBytes };
      return { body: await askVendor(access.urlOf(filled), api.getHeaders(key), limits, clock) };
    };
    return sdk;
  }
}
