import { json, type Responder, TestServer, type TestServerOptions } from './test-server';

/** The message with which an endpoint is verified. */
const CHALLENGE_TYPE = 'data_import.webhook_verification-v1';

/** A receiver of webhooks. It returns challenges by itself, and does not remember those. */
export class WebhookReceiver extends TestServer {
  static override async start(
    respond: Responder = json(204),
    options: TestServerOptions = {},
  ): Promise<WebhookReceiver> {
    return TestServer.start(respond, {
      intercept: ({ body }) => {
        if (!body.includes(CHALLENGE_TYPE)) return undefined;
        const { data } = JSON.parse(body) as { data: { challenge: string } };
        return json(200, { challenge: data.challenge });
      },
      ...options,
    });
  }
}
