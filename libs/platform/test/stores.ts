import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
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
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

export function keyOf(path: string): DocumentKey {
  const root = 'root';
  const resolved = documentKey(root, path);
  if (resolved.outcome === 'refused') throw new Error(resolved.detail);
  return resolved.key.slice(root.length + 1) as DocumentKey;
}

export interface TestFolder {
  readonly path: string;
  remove(): void;
}

export function testFolder(): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'portage-documents-')));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export interface S3Server {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const folder = testFolder();
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: folder.path,
    silent: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.close();
      folder.remove();
    },
  };
}
