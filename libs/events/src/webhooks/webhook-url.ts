import { isIP } from 'node:net';
import type { Config } from '@portage/platform';
import { isPermittedAddress } from './address-check';

export type WebhookUrlSettings = Pick<Config, 'WEBHOOK_ALLOW_HTTP' | 'WEBHOOK_ALLOWED_NETWORKS'>;

/** A URL that webhooks may be sent to, or the sentence that says why not. */
export type CheckedUrl = { url: URL } | { problem: string };

export const MAX_URL_LENGTH = 2_048;

/** Ports below are those of other services, such as mail and SSH. */
const MIN_UNPRIVILEGED_PORT = 1_024;

/**
 * Checks the URL of an endpoint without a look-up of its name: scheme, credentials, port, and an address in place of a
 * name in any notation that the WHATWG URL standard knows. Applied when an endpoint is created and at every attempt,
 * because settings change.
 */
export function checkWebhookUrl(
  text: string,
  { WEBHOOK_ALLOW_HTTP, WEBHOOK_ALLOWED_NETWORKS = [] }: WebhookUrlSettings,
): CheckedUrl {
  if (text.length > MAX_URL_LENGTH)
    return { problem: `Enter a URL of at most ${MAX_URL_LENGTH} characters.` };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    return { problem: 'Enter a URL such as https://example.com/webhooks.' };
  if (url.protocol === 'http:' && !WEBHOOK_ALLOW_HTTP)
    return { problem: 'Enter a URL that starts with https://.' };
  if (url.username !== '' || url.password !== '')
    return {
      problem: 'Enter a URL without user name and password. The signature authenticates the sender.',
    };
  if (url.hash !== '') return { problem: 'Enter a URL without #.' };
  const isDefaultPort = url.port === '';
  if (!isDefaultPort && Number(url.port) !== 443 && Number(url.port) < MIN_UNPRIVILEGED_PORT)
    return { problem: `Enter a URL with port 443, or a port from ${MIN_UNPRIVILEGED_PORT} on.` };
  const address = literalAddress(url);
  if (address !== undefined && !isPermittedAddress(address, WEBHOOK_ALLOWED_NETWORKS))
    return { problem: 'Enter a URL with a public host name. Webhooks are not sent to this address.' };
  return { url };
}

/** The IP address that a URL has in place of a name. The parser has converted decimal, octal and hexadecimal forms. */
export function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) > 0 ? address : undefined;
}
