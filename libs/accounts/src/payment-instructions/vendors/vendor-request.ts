import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import type { Clock } from '@portage/platform';
import { failureOfStatus, refusalOfStatus } from './response-status';
import { unavailable } from './payment-vendor';
import { VendorFailure } from './vendor-failure';

/** The limits of one request to a vendor. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * Sends exactly one GET on a new connection. The vendor may close a reused keep-alive connection at the moment of the
 * request, which would require a retry. Redirects are not followed, since they would receive the key. Both SDKs send
 * through this function, because their own HTTP clients retry and limit neither time nor size.
 *
 * @returns the JSON object of a successful response
 * @throws VendorFailure in every other case
 */
export async function requestVendor(
  url: URL,
  headers: OutgoingHttpHeaders,
  { timeoutMs, maxBytes }: RequestLimits,
  clock: Clock,
): Promise<Record<string, unknown>> {
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
    if (failure) throw new VendorFailure(failure);
    const body = parseJsonObject(await readText(response, maxBytes));
    if (status >= 400) throw new VendorFailure(refusalOfStatus(status, body));
    if (!body) throw new VendorFailure(unavailable('vendor_answer_invalid'));
    return body;
  } catch (error) {
    if (error instanceof VendorFailure) throw error;
    throw new VendorFailure(unavailable(deadline.aborted ? 'vendor_timeout' : 'vendor_unreachable'));
  } finally {
    request.destroy();
  }
}

/** @throws Error if the connection ends before the response is complete */
async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new VendorFailure(unavailable('vendor_answer_invalid'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
