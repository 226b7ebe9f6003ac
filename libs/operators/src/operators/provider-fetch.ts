import { once } from 'node:events';
import { type IncomingMessage, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { isIP } from 'node:net';
import { AddressRefused, checkedLookup, isPermittedAddress, resolveWithDns } from '@portage/events';
import type { CustomFetch } from 'openid-client';

/** Limits of one request to the provider. */
export interface ProviderLimits {
  /** For everything: name, connection, TLS, request and answer. */
  timeoutSeconds: number;
  maxResponseBytes: number;
}

/** Statuses whose answer has no body. */
const EMPTY = [101, 204, 205, 304];

/**
 * Sends the requests of a sign-in to an OpenID provider. The operator has chosen the host of the issuer. The metadata of
 * the provider names the other ones, so these are reached with https at public addresses only. Redirects are not followed.
 *
 * @throws Error for an address that is refused, an answer that is too long, or one that is not complete in time
 */
export function providerFetch(issuer: URL, limits: ProviderLimits): CustomFetch {
  const lookup = checkedLookup([], resolveWithDns);
  return async (text, { method, headers, body, signal }) => {
    const url = new URL(text);
    const isIssuer = url.origin === issuer.origin;
    if (!isIssuer) requirePublic(url);
    const send = url.protocol === 'https:' ? sendHttps : sendHttp;
    const request = send(url, {
      method,
      headers,
      agent: false,
      signal: signal ?? AbortSignal.timeout(limits.timeoutSeconds * 1_000),
      ...(isIssuer ? {} : { lookup }),
    });
    request.end(body instanceof URLSearchParams ? body.toString() : body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const content = await read(response, limits.maxResponseBytes);
    const status = response.statusCode ?? 500;
    return new Response(EMPTY.includes(status) ? null : content, {
      status,
      headers: Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    });
  };
}

function requirePublic({ protocol, hostname }: URL): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol !== 'https:' || (isIP(host) !== 0 && !isPermittedAddress(host)))
    throw new AddressRefused(host);
}

async function read(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new Error(`The answer of the provider has more than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
