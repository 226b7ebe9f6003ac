import { type Clock } from '../clock';
import { UsageError } from '../usage-error';
import { type AnswerWatch } from './answer-watch';
import { AccessToken } from './access-token';
import { AuthorizedClient } from './authorized-client';
import { type RetryPolicy } from './retry-policy';
import { Retrier, Unreachable } from './retrier';
import { NotTheService, TokenEndpoint, TokenRefused } from './token-endpoint';
import { Transport } from './transport';

/** The address of the service, the API key, and the limits of requests. */
export interface Service {
  baseUrl: URL;
  apiKey: string;
  /** Maximum time for which a request is retried. */
  retryMs: number;
  /** Timeout of a single request. */
  timeoutMs: number;
}

/** The result of signing in. */
export interface SignedIn {
  requests: AuthorizedClient;
  /** The organisation of the API key, as the service identifies it; empty if the service does not. */
  organisation: string;
}

/** The first request verifies the address, so it gives up early: a wrong address is reported within seconds. */
const FIRST_REQUEST_POLICY: RetryPolicy = {
  baseDelayMs: 250,
  maxDelayMs: 2000,
  maxAttempts: 20,
  maxDurationMs: 15_000,
};

/**
 * Obtains an access token and returns a client that uses it.
 *
 * @param watch observes whether the service answers
 * @throws UsageError if the service cannot be reached or does not accept the key
 */
export async function signIn(
  { baseUrl, apiKey, retryMs, timeoutMs }: Service,
  stop: AbortSignal,
  clock: Clock,
  random: () => number,
  watch?: AnswerWatch,
): Promise<SignedIn> {
  const transport = new Transport(baseUrl, timeoutMs);
  const policy: RetryPolicy = {
    baseDelayMs: 250,
    maxDelayMs: 20_000,
    maxAttempts: 50,
    maxDurationMs: retryMs,
  };
  const retrier = new Retrier(policy, stop, clock, random, watch);
  const endpoint = new TokenEndpoint(transport, retrier, clock);
  const token = new AccessToken(apiKey, endpoint.obtain.bind(endpoint), clock);
  try {
    await token.current(FIRST_REQUEST_POLICY);
  } catch (error) {
    const where = baseUrl.href;
    if (error instanceof Unreachable) {
      throw new UsageError(`The service at ${where} cannot be reached (${error.message}). Check --base-url.`);
    }
    if (error instanceof NotTheService) {
      throw new UsageError(
        `There is no token endpoint at ${where} (${error.message}). Check --base-url: it is the address without /v1 or /v2.`,
      );
    }
    if (error instanceof TokenRefused) {
      throw new UsageError(
        `The service at ${where} does not accept this API key (${error.message}). Check the key.`,
      );
    }
    throw error;
  }
  return { requests: new AuthorizedClient(transport, retrier, token), organisation: token.organisation };
}
