import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from './clock';
import { isJsonObject, type JsonObject, parseJson, textField } from './json';

/** Times of requests that are further away are refused, so that a recorded request cannot be sent again. */
const TOLERANCE_SECONDS = 300;

const SECRET_PREFIX = 'whsec_';
const CHALLENGE_TYPE = 'data_import.webhook_verification-v1';

/** A request to a webhook endpoint that is from Portage. */
export interface ReceivedWebhook {
  /** The same at every attempt: keep it with what the event has changed, to recognise a repetition. */
  id: string;
  type: string;
  timestamp: string;
  data: JsonObject;
  /**
   * The body of the answer to a challenge, with which an endpoint is verified: answer with status 200 and this text.
   * Undefined for events: answer with 204.
   */
  challengeAnswer: string | undefined;
}

/** A request that is not from Portage, was recorded, or was changed. Answer with 401. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

/** What a receiver knows. */
export interface ReceiveWebhookOptions {
  /** The secret of the endpoint, or its secrets during a rotation. */
  secret: string | readonly string[];
  clock?: Pick<Clock, 'now'>;
}

/**
 * Verifies and reads a request to a webhook endpoint, as the Standard Webhooks specification says.
 *
 * @param headers with names in lower case, as Node has them
 * @param body as it arrived, before anything parsed it
 * @throws WebhookRefused
 */
export function receiveWebhook(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string | Buffer,
  { secret, clock = systemClock }: ReceiveWebhookOptions,
): ReceivedWebhook {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name];
    if (typeof value !== 'string' || value === '') throw new WebhookRefused(`The header ${name} is missing.`);
    return value;
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(time) || Math.abs(clock.now() / 1_000 - Number(time)) > TOLERANCE_SECONDS)
    throw new WebhookRefused('The time of the request is more than 5 minutes away.');
  const text = body.toString();
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!secrets.some((one) => isSigned(signatures, `${id}.${time}.${text}`, one)))
    throw new WebhookRefused('The request has no signature of the secret.');
  const content = parseJson(text);
  const [type, timestamp] = [textField(content, 'type'), textField(content, 'timestamp')];
  const data = isJsonObject(content) ? content['data'] : undefined;
  if (type === undefined || timestamp === undefined || !isJsonObject(data))
    throw new WebhookRefused('The body is not that of a webhook.');
  const challenge = type === CHALLENGE_TYPE ? textField(data, 'challenge') : undefined;
  return {
    id,
    type,
    timestamp,
    data,
    challengeAnswer: challenge === undefined ? undefined : JSON.stringify({ challenge }),
  };
}

function isSigned(signatures: string, content: string, secret: string): boolean {
  const key = Buffer.from(
    secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret,
    'base64',
  );
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
