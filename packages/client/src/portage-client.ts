import type { Agent } from 'node:http';
import { AuthorizedClient } from './authorized-client';
import { type Clock, systemClock } from './clock';
import { followEvents, type FollowEventsOptions } from './event-feed';
import { bookBody, type BookSource } from './book-body';
import { BookUpload, type UploadOptions } from './book-upload';
import type { Event, SubmissionResult, Upload } from './generated/api';
import { createOperations, OperationMethods } from './operation-client';
import { Retrier } from './retry/retrier';
import type { RetryPolicy } from './retry/retry-policy';
import { readResults, type ResultsOptions } from './submission-results';
import { AccessToken } from './token/access-token';
import { TokenEndpoint } from './token/token-endpoint';
import { NodeTransport } from './transport/node-transport';

/** The options of a client. All but the address and the key have defaults. */
export interface PortageClientOptions {
  /** The address of the service, without `/v1` or `/v2`. */
  baseUrl: string | URL;
  apiKey: string;
  /** Limits of retries; by default those of `DEFAULT_RETRY_POLICY`. */
  retry?: Partial<RetryPolicy>;
  /** Timeout of one attempt, by default 30 seconds. */
  timeoutMs?: number;
  /** When aborted, attempts in progress are finished but not retried. */
  signal?: AbortSignal;
  /** Opens the connections, for example through a proxy. By default they are direct, and kept alive. */
  agent?: Agent;
  clock?: Clock;
  /** A number in [0, 1), for the jitter of retries. */
  random?: () => number;
}

/** Up to ten attempts within a minute. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  baseDelayMs: 250,
  maxDelayMs: 20_000,
  maxAttempts: 10,
  maxDurationMs: 60_000,
};

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * The operations of the API. Each obtains and renews the access token when needed, is retried after a lost connection,
 * a timeout, 429 and 5xx, and throws:
 *
 * - PortageError if the service refuses the request (not with `throwOnError: false`)
 * - Unreachable if the limits of the retries are exceeded
 * - TokenRefused or AccessLost if the service does not accept the key
 */
export class PortageClient extends OperationMethods {
  private readonly token: AccessToken;
  private readonly uploads: { policy: RetryPolicy; timeoutMs: number; clock: Clock; random: () => number };

  constructor(options: PortageClientOptions) {
    const { clock = systemClock, random = Math.random, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const policy = { ...DEFAULT_RETRY_POLICY, ...options.retry };
    const transport = new NodeTransport(new URL(options.baseUrl), options.agent);
    const retrier = new Retrier(policy, options.signal ?? new AbortController().signal, clock, random);
    const endpoint = new TokenEndpoint(transport, retrier, clock, timeoutMs);
    const token = new AccessToken(options.apiKey, endpoint, clock);
    super(createOperations(new AuthorizedClient(transport, retrier, token), timeoutMs));
    this.token = token;
    this.uploads = { policy, timeoutMs, clock, random };
  }

  /**
   * Obtains an access token unless there is one, which verifies address and key.
   *
   * @throws TokenRefused, NotTheService, Unreachable
   */
  async signIn(retry: Partial<RetryPolicy> = {}): Promise<void> {
    await this.token.current(retry);
  }

  /**
   * The events of a supplier in the order of its feed, without an end: it waits for new ones. Each is delivered once,
   * however often requests fail; `onCursor` gets the cursor that a later run goes on from.
   *
   * @throws PortageError, Unreachable, TokenRefused, AccessLost
   */
  events(supplier: string, options: FollowEventsOptions = {}): AsyncGenerator<Event, void> {
    return followEvents((request) => this.readEvents(request), supplier, options);
  }

  /**
   * The results of a submission, row by row and in constant memory. Each is delivered once, however often the answer
   * breaks.
   *
   * @throws PortageError, Unreachable, TokenRefused, AccessLost
   */
  results(id: string, options: ResultsOptions = {}): AsyncGenerator<SubmissionResult, void> {
    return readResults((request) => this.listSubmissionResults(request), id, options);
  }

  /**
   * Uploads the lines of a book to an open submission as one request, compressed, in constant memory, as fast as the
   * service reads them. It is repeated from the first line unless the source is a stream; lines that the service has are
   * recognised. An attempt that comes further than those before begins the limits of retries again.
   *
   * @throws Error if the source cannot be read; PortageError, Unreachable, TokenRefused, AccessLost
   */
  async upload(id: string, source: BookSource, options: UploadOptions = {}): Promise<Upload> {
    const { uploads } = this;
    const upload = new BookUpload(id, await bookBody(source), {
      ...options,
      ...uploads,
      operations: this,
      policy: { ...uploads.policy, ...options.retry },
      timeoutMs: options.timeoutMs ?? uploads.timeoutMs,
    });
    return upload.run();
  }
}

/** Creates a client of the data-import API. Its requests share one access token. */
export function createPortageClient(options: PortageClientOptions): PortageClient {
  return new PortageClient(options);
}
