import { type Agent, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import type { Answer } from './answer';

/** Longer than the API waits for a result (OUTCOME_WAIT_MS), also on a busy machine. */
const TIMEOUT_MS = 120_000;

interface ExchangeOptions {
  /** Those that are undefined are not sent. */
  headers?: Record<string, string | undefined>;
  /** Text, bytes and streams are sent unmodified, anything else as JSON. */
  body?: unknown;
  /** Default: a connection of its own. */
  agent?: Agent;
  /** The request is given up after this time without a byte. */
  timeoutMs?: number;
  /** Gives the request up. */
  signal?: AbortSignal;
}

/**
 * The one client of tests: sends a request and reads the whole answer. Its body is parsed if it is JSON. A stream is read
 * no further once the answer has ended.
 *
 * @throws Error if there is no whole answer
 */
export async function exchange(
  method: string,
  url: string,
  { headers = {}, body, agent, timeoutMs = TIMEOUT_MS, signal }: ExchangeOptions = {},
): Promise<Answer> {
  const stream = body instanceof Readable ? body : undefined;
  const sent =
    stream || body === undefined
      ? undefined
      : typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body);
  const all: Record<string, string | undefined> = {
    ...(sent !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(sent)),
    }),
    ...headers,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        method,
        headers: Object.fromEntries(given),
        agent: agent ?? false,
        timeout: timeoutMs,
        ...(signal && { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: parse(text),
            text,
            bytes,
          });
          if (stream && !stream.readableEnded) request.destroy();
        });
      },
    );
    request.on('error', reject);
    request.on('timeout', () =>
      request.destroy(new Error(`${method} ${url} was not answered within ${timeoutMs / 1_000} s.`)),
    );
    request.on('close', () => {
      stream?.destroy();
      reject(new Error(`The connection of ${method} ${url} was closed before its answer.`));
    });
    stream?.on('error', (error) => request.destroy(error));
    if (stream) stream.pipe(request);
    else request.end(sent);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
