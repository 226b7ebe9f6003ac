import { type Clock } from '../clock';
import { UsageError } from '../usage-error';
import { AccessToken } from './access-token';
import { AuthorizedRequests } from './authorized-requests';
import { type Patience } from './back-off';
import { Retrying, Unreachable } from './retrying';
import { TokenEndpoint, TokenRefused } from './token-endpoint';
import { Transport } from './transport';

/** Where the service is, who asks, and with how much patience. */
export interface Service {
  baseUrl: URL;
  apiKey: string;
  /** How long one request is repeated. */
  retryMs: number;
  /** How long one answer may take. */
  timeoutMs: number;
}

/** The first request tells whether the address is right; nobody should wait minutes to learn that it is not. */
const FIRST_PATIENCE: Patience = { baseMs: 250, capMs: 2000, attempts: 20, forMs: 15_000 };

/** @throws UsageError when the service is not there or does not accept the key */
export async function signIn(
  { baseUrl, apiKey, retryMs, timeoutMs }: Service,
  stop: AbortSignal,
  clock: Clock,
  random: () => number,
): Promise<AuthorizedRequests> {
  const transport = new Transport(baseUrl, timeoutMs);
  const patience: Patience = { baseMs: 250, capMs: 20_000, attempts: 50, forMs: retryMs };
  const retrying = new Retrying(patience, stop, clock, random);
  const endpoint = new TokenEndpoint(transport, retrying, clock);
  const token = new AccessToken(apiKey, endpoint.obtain.bind(endpoint), clock);
  try {
    await token.current(FIRST_PATIENCE);
  } catch (error) {
    const where = baseUrl.href;
    if (error instanceof Unreachable) {
      throw new UsageError(`The service at ${where} cannot be reached (${error.message}). Check --base-url.`);
    }
    if (error instanceof TokenRefused) {
      throw new UsageError(
        `The service at ${where} gives no token for this API key (${error.message}). Check the key.`,
      );
    }
    throw error;
  }
  return new AuthorizedRequests(transport, retrying, token);
}
