import { rmSync } from 'node:fs';
import type { EmbeddedPostgres } from '../../local-environment/src';

export default async function globalTeardown(): Promise<void> {
  const running = (
    globalThis as {
      portageTests?: { postgres?: EmbeddedPostgres; directory?: string; stopRedis?: () => void };
    }
  ).portageTests;
  running?.stopRedis?.();
  await running?.postgres?.stop('immediate');
  if (running?.directory) rmSync(running.directory, { recursive: true, force: true });
}
