import { createHmac, randomBytes } from 'node:crypto';

/** Marks a secret of the Standard Webhooks specification. The rest is base64. */
const PREFIX = 'whsec_';

/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers of a request as the Standard Webhooks specification says: `webhook-signature` has one signature for each
 * secret, over `id.timestamp.body`.
 *
 * @param id of the event: the same at every attempt
 * @param at the time of the attempt
 */
export function webhookHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Portage-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}
