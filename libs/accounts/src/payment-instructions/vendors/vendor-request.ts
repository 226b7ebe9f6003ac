import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { type Clock, isObject } from '@portage/platform';
import { type Refused, unavailable, type Unavailable } from './payment-vendor';
import type { VendorResponse } from './response-fields';
import { failureOfStatus, refusalOfStatus } from './response-status';

/** The limits of one request to a vendor. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** A successful response: the JSON object in its body. */
export interface Answered {
  readonly outcome: 'answered';
  readonly body: VendorResponse;
}

/**
 * Sends exactly one GET on a new connection. The vendor may close a reused keep-alive connection at the moment of the
 * request, which would require a retry. Redirects are not followed, since they would receive the key. The vendors' own
 * SDKs retry, follow redirects and limit neither time nor size.
 */
export async function requestVendor(
  url: URL,
  headers: OutgoingHttpHeaders,
  { timeoutMs, maxBytes }: RequestLimits,
  clock: Clock,
): Promise<Answered | Refused | Unavailable> {
  const deadline = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
  const send = url.protocol === 'https:' ? sendHttps : sendHttp;
  const request = send(url, { headers, agent: false, signal: deadline });
  // The connection may break after the response was read or abandoned, when no listener is left.
  request.on('error', () => undefined);
  try {
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const status = response.statusCode ?? 0;
    const failure = failureOfStatus(status, response.headers['retry-after'], clock.now());
    if (failure) return failure;
    const body = parseJsonObject(await readText(response, maxBytes));
    if (status >= 400) return refusalOfStatus(status, body);
    return body ? { outcome: 'answered', body } : unavailable('vendor_answer_invalid');
  } catch {
    return unavailable(deadline.aborted ? 'vendor_timeout' : 'vendor_unreachable');
  } finally {
    request.destroy();
  }
}

/**
 * @returns undefined for a text that is too long
 * @throws Error if the connection ends before the response is complete
 */
async function readText(response: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJsonObject(text: string | undefined): VendorResponse | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
