import { receiveWebhook } from '@portage/client';
import { type Installation, OPERATOR_PASSWORD, signIn } from '@portage/testing';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';
import { Secret, TOTP } from 'otpauth';

const ENDPOINTS = '/v2/data-import/webhook-endpoints/';
const CODE_MS = 30_000;

/** An operator with a second factor, which OPERATOR_SECRETS_KEY encrypts. */
export class OperatorWithCode {
  private constructor(
    private readonly name: string,
    private readonly authenticator: TOTP,
  ) {}

  static async enrol(installation: Installation): Promise<OperatorWithCode> {
    const client = await signIn(installation, 'admin');
    const { body } = await client.post('/session/totp', { password: OPERATOR_PASSWORD });
    const { secret } = body as { secret: string };
    const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
    const { status, text } = await client.change('PUT', '/session/totp', { code: authenticator.generate() });
    if (status !== 204) throw new Error(`The second factor was not confirmed: ${text}`);
    return new OperatorWithCode(client.name, authenticator);
  }

  /** @returns the status of a login with a code, or without one */
  async logIn(installation: Installation, { baseUrl = installation.baseUrl, hasCode = true } = {}) {
    // Each code is accepted once, and that of the next step as well.
    const totp = hasCode ? this.authenticator.generate({ timestamp: Date.now() + CODE_MS }) : null;
    const { status } = await installation.send('POST', '/operator/v1/session', {
      body: { name: this.name, password: OPERATOR_PASSWORD, totp },
      headers: { authorization: undefined },
      baseUrl,
    });
    return status;
  }
}

/** A receiver of webhooks that knows the secret of its endpoint, which WEBHOOK_SECRETS_KEY encrypts. */
export class SignedWebhooks {
  private constructor(
    private readonly receiver: WebhookReceiver,
    private readonly id: string,
    readonly secret: string,
  ) {}

  static async open(installation: Installation): Promise<SignedWebhooks> {
    const receiver = await WebhookReceiver.start();
    const { body } = await installation.post(ENDPOINTS, {
      import_supplier: installation.supplier,
      url: receiver.url,
      types: ['data_import.import_process.complete-v1'],
    });
    const webhooks = new SignedWebhooks(receiver, String(body.id), String(body.secret));
    if (await webhooks.verify(installation)) return webhooks;
    await receiver.stop();
    throw new Error('The endpoint was not verified.');
  }

  /** @returns true if the endpoint has answered a challenge that was signed with its secret */
  async verify(installation: Installation, baseUrl = installation.baseUrl): Promise<boolean> {
    const path = `${ENDPOINTS}${this.id}/verify/`;
    return (await installation.send('POST', path, { body: {}, baseUrl })).body.verified === true;
  }

  forget(): void {
    this.receiver.requests.splice(0);
  }

  /** The accounts whose events were received. @throws WebhookRefused for an event without a signature of the secret */
  accounts(): Set<unknown> {
    const { requests } = this.receiver;
    const events = requests.map(({ headers, body }) => receiveWebhook(headers, body, this));
    return new Set(events.map(({ data }) => data['external_account_number']));
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
  }
}
