import { once } from 'node:events';
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { CONFIG } from '@portage/platform';
import { isPermittedAddress } from './address-check';
import { AddressRefused, checkedLookup, type ResolveName, resolveWithDns } from './checked-lookup';
import { checkWebhookUrl, type WebhookUrlSettings } from './webhook-url';

/** One request to an endpoint. */
export interface WebhookRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Bytes of the answer that the result has; 0 without it. */
  maxAnswerBytes?: number;
}

/** Why an attempt had no response, or what was wrong with it. */
export const DELIVERY_ERRORS = {
  http_status: 'The receiver answered with a status other than 2xx.',
  timeout: 'The receiver did not answer within 10 seconds.',
  connection_failed: 'No connection to the receiver could be opened.',
  connection_closed: 'The receiver closed the connection without an answer.',
  tls_failed: 'The certificate of the receiver is not valid, or TLS could not be negotiated.',
  response_invalid: 'The receiver did not answer with HTTP.',
  address_refused: 'The host name has no address, or not only addresses that webhooks are sent to.',
  url_refused: 'Webhooks are not sent to this URL with the current settings of the service.',
} as const;
export type DeliveryError = keyof typeof DELIVERY_ERRORS;

/** The result of one attempt. `status` is null if there was no response. */
export interface DeliveryResult {
  status: number | null;
  /** Null after a delivery. */
  error: DeliveryError | null;
  durationMs: number;
  /** The answer, if it was asked for and is not longer. */
  answer?: string;
}

/** A sender for the requests to one URL. They share a connection while the receiver keeps it open. */
export interface WebhookChannel {
  /** Sends one request. Every result is a value: an exception is a defect. */
  send(request: WebhookRequest): Promise<DeliveryResult>;
  /** Closes the connection. */
  close(): void;
}

/** Limits of one attempt. */
export interface AttemptLimits {
  /** For everything: name, connection, TLS, request, and the headers of the response. */
  timeoutMs: number;
  /** Bytes of a response that are read. They are dropped; a longer response costs its connection. */
  maxResponseBytes: number;
}

const DEFAULT_LIMITS: AttemptLimits = { timeoutMs: 10_000, maxResponseBytes: 65_536 };

/** Time after which an idle connection is closed. */
const IDLE_TIMEOUT_MS = 5_000;

interface SenderOptions {
  limits?: AttemptLimits;
  resolve?: ResolveName;
  /** Certificates of authorities that are trusted instead of those of Node. */
  ca?: string;
}

/**
 * Sends requests to the URLs of suppliers, which are not trusted, with Node's own client. Each new connection resolves the host name again, checks every address, and connects to
 * one that was checked; a connection that is kept open stays with its address. Redirects are not followed, and proxies
 * of the environment are not used.
 */
@Injectable()
export class WebhookSender {
  private readonly lookup: LookupFunction;

  constructor(
    @Inject(CONFIG) private readonly settings: WebhookUrlSettings,
    @Optional() private readonly options: SenderOptions = {},
  ) {
    this.lookup = checkedLookup(
      settings.WEBHOOK_ALLOWED_NETWORKS ?? [],
      options.resolve ?? (async (name) => resolveWithDns(name)),
    );
  }

  /** Opens a channel to a URL. No connection is opened before the first request. */
  open(text: string): WebhookChannel {
    const checked = checkWebhookUrl(text, this.settings);
    if ('problem' in checked) return REFUSED_CHANNEL;
    const { url } = checked;
    const isEncrypted = url.protocol === 'https:';
    // One connection: the events of an endpoint are sent one after the other.
    const agentOptions = { keepAlive: true, maxSockets: 1, timeout: IDLE_TIMEOUT_MS };
    const agent = isEncrypted ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    const { ca } = this.options;
    const start = ({ headers, body }: WebhookRequest, signal: AbortSignal): ClientRequest => {
      const options = {
        method: 'POST',
        agent,
        signal,
        lookup: this.lookup,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      };
      return isEncrypted
        ? // The setting of the environment that accepts all certificates has no effect.
          sendHttps(url, { ...options, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) })
        : sendHttp(url, options);
    };
    return {
      send: async (request) => this.attempt(start, request),
      close: () => {
        agent.destroy();
      },
    };
  }

  private async attempt(
    start: (request: WebhookRequest, signal: AbortSignal) => ClientRequest,
    request: WebhookRequest,
  ): Promise<DeliveryResult> {
    const startedAt = performance.now();
    const { timeoutMs, maxResponseBytes } = this.options.limits ?? DEFAULT_LIMITS;
    const deadline = AbortSignal.timeout(timeoutMs);
    const result = (status: number | null, error: DeliveryError | null, answer?: string): DeliveryResult => ({
      status,
      error,
      durationMs: Math.round(performance.now() - startedAt),
      ...(answer !== undefined && { answer }),
    });
    for (;;) {
      const sent = start(request, deadline);
      try {
        const response = await this.receive(sent, request.body);
        const status = response.statusCode ?? 0;
        const answer = await readAnswer(response, maxResponseBytes, request.maxAnswerBytes ?? 0);
        return result(status, status >= 200 && status < 300 ? null : 'http_status', answer);
      } catch (error) {
        // The receiver may close a connection that was kept open at the moment of the request, before it has read it.
        if (sent.reusedSocket && !deadline.aborted && isClosedConnection(error)) continue;
        return result(null, deadline.aborted ? 'timeout' : errorOf(error));
      }
    }
  }

  private async receive(sent: ClientRequest, body: string): Promise<IncomingMessage> {
    // The connection may break after the response was read, when no listener is left.
    sent.on('error', () => undefined);
    sent.on('socket', (socket: Socket) => {
      this.verifyAddress(socket);
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }

  /** A second check, of the address that is connected to, which does not depend on the first one. */
  private verifyAddress(socket: Socket): void {
    const verify = () => {
      const { remoteAddress = '' } = socket;
      if (!isPermittedAddress(remoteAddress, this.settings.WEBHOOK_ALLOWED_NETWORKS))
        socket.destroy(new AddressRefused(remoteAddress));
    };
    if (socket.connecting) socket.once('connect', verify);
  }
}

const REFUSED_CHANNEL: WebhookChannel = {
  send: async () => Promise.resolve({ status: null, error: 'url_refused', durationMs: 0 }),
  close: () => undefined,
};

/**
 * Reads a response, so that its connection can be used again. The status has decided the attempt already.
 *
 * @returns the whole answer; undefined if it is longer than `maxAnswerBytes`, or was cut
 */
async function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
  maxAnswerBytes: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      if (bytes <= maxAnswerBytes) chunks.push(chunk);
    }
  } catch {
    // It was cut, or took too long. The connection is closed.
  }
  if (!response.complete) response.destroy();
  else if (bytes > 0 && bytes <= maxAnswerBytes) return Buffer.concat(chunks).toString('utf8');
  return undefined;
}

const CLOSED = ['ECONNRESET', 'EPIPE'];

function isClosedConnection(error: unknown): boolean {
  return CLOSED.includes((error as NodeJS.ErrnoException).code ?? '');
}

function errorOf(error: unknown): DeliveryError {
  if (isRefusedAddress(error)) return 'address_refused';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('HPE_')) return 'response_invalid';
  if (CLOSED.includes(code)) return 'connection_closed';
  if (/^(ERR_(TLS|SSL)|CERT_|UNABLE_|DEPTH_|SELF_SIGNED|HOSTNAME_|EPROTO)/.test(code)) return 'tls_failed';
  return 'connection_failed';
}

function isRefusedAddress(error: unknown): boolean {
  return error instanceof AddressRefused || (error as { cause?: unknown }).cause instanceof AddressRefused;
}
