import { type Clock } from '@portage/domain';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { failureByStatus, refusalByStatus } from './answer-status';
import { unavailable } from './payment-vendor';
import { VendorFailure } from './vendor-failure';

/** How far a vendor may go. */
export interface AnswerLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * One GET, sent exactly once, on a connection of its own: one that was kept open may be closed by the vendor just as
 * it is used again, which would need a second try. No redirect is followed, since the key would travel along. Both
 * SDKs ask through here, for their own clients repeat requests and bound neither time nor size.
 *
 * @returns the JSON object of a successful answer
 * @throws VendorFailure for anything else
 */
export async function askVendor(
  url: URL,
  headers: OutgoingHttpHeaders,
  { timeoutMs, maxBytes }: AnswerLimits,
  clock: Clock,
): Promise<Record<string, unknown>> {
  const deadline = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
  const send = url.protocol === 'https:' ? overHttps : overHttp;
  const request = send(url, { headers, agent: false, signal: deadline });
  // A connection may break after its answer was read or given up, when nobody waits for it any more.
  request.on('error', () => undefined);
  try {
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const status = answer.statusCode ?? 0;
    const failure = failureByStatus(status, answer.headers['retry-after'], clock.now());
    if (failure) throw new VendorFailure(failure);
    const body = jsonObject(await textOf(answer, maxBytes));
    if (status >= 400) throw new VendorFailure(refusalByStatus(status, body));
    if (!body) throw new VendorFailure(unavailable('vendor_answer_invalid'));
    return body;
  } catch (error) {
    if (error instanceof VendorFailure) throw error;
    throw new VendorFailure(unavailable(deadline.aborted ? 'vendor_timeout' : 'vendor_unreachable'));
  } finally {
    request.destroy();
  }
}

/** @throws Error where the connection ends before the answer does */
async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new VendorFailure(unavailable('vendor_answer_invalid'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
