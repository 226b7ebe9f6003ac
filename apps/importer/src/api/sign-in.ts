import {
  type Clock,
  createPortageClient,
  NotTheService,
  type PortageClient,
  type RetryPolicy,
  TokenRefused,
  Unreachable,
} from '@portage/client';
import { UsageError } from '../usage-error';

/** The address of the service, the API key, and the limits of requests. */
export interface Service {
  baseUrl: URL;
  apiKey: string;
  /** Maximum time for which a request is retried. */
  retryMs: number;
  /** Timeout of a single request. */
  timeoutMs: number;
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
 * @throws UsageError if the service cannot be reached or does not accept the key
 */
export async function signIn(
  { baseUrl, apiKey, retryMs, timeoutMs }: Service,
  signal: AbortSignal,
  clock: Clock,
  random: () => number,
): Promise<PortageClient> {
  const retry: RetryPolicy = {
    baseDelayMs: 250,
    maxDelayMs: 20_000,
    maxAttempts: 50,
    maxDurationMs: retryMs,
  };
  const portage = createPortageClient({
    baseUrl,
    apiKey,
    retry,
    timeoutMs,
    signal,
    clock,
    random,
  });
  try {
    await portage.signIn(FIRST_REQUEST_POLICY);
    return portage;
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
}
