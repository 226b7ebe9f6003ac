import { type Agent, request as httpRequest } from 'node:http';
import type { Answer } from './answer';

/** Longer than the API waits for a result (OUTCOME_WAIT_MS), also on a busy machine. */
const TIMEOUT_MS = 120_000;

/** Sends a request and reads the whole answer. Its body is parsed if it is JSON. */
export async function exchange(
  method: string,
  url: string,
  {
    headers,
    body,
    agent,
    timeoutMs = TIMEOUT_MS,
  }: {
    headers: Record<string, string>;
    body: string | Buffer | undefined;
    agent?: Agent;
    timeoutMs?: number;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed, text });
      });
    });
    request.on('error', reject);
    request.on('timeout', () =>
      request.destroy(new Error(`The API did not answer within ${timeoutMs / 1_000} s.`)),
    );
    request.end(body);
  });
}
