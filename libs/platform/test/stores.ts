import { realpathSync } from 'node:fs';
import { newDirectory } from '@portage/testing/test-directory';
import { documentKey, type DocumentKey } from '../src/document-stores/document-key';
import type { StoreLimits } from '../src/document-stores/document-store';

export const LIMITS: StoreLimits = {
  operationTimeoutMs: 2_000,
  checkTimeoutMs: 5_000,
  readTimeoutMs: 5_000,
  maxConcurrent: 8,
};

export const BUCKET = 'migrations';

/** The credentials of the test server, as environment variables of the SDK. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'TEST-KEY', AWS_SECRET_ACCESS_KEY: 'TEST-SECRET' };

export function keyOf(path: string): DocumentKey {
  const root = 'root';
  const resolved = documentKey(root, path);
  if (resolved.outcome === 'refused') throw new Error(resolved.detail);
  return resolved.key.slice(root.length + 1) as DocumentKey;
}

export function testFolder(): string {
  return realpathSync(newDirectory());
}

export interface S3Server {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Starts an S3-compatible server in memory, with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const { buildApp } = await import('fauxqs');
  const server = buildApp({ logger: false });
  // The server itself accepts all credentials.
  server.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization?.includes(`Credential=${CREDENTIALS.AWS_ACCESS_KEY_ID}/`)) return;
    await reply.code(403).type('application/xml').send('<Error><Code>InvalidAccessKeyId</Code></Error>');
  });
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 });
  const authorization = `AWS4-HMAC-SHA256 Credential=${CREDENTIALS.AWS_ACCESS_KEY_ID}/`;
  await server.inject({ method: 'PUT', url: `/${BUCKET}`, headers: { authorization } });
  return { endpoint, stop: () => server.close() };
}
