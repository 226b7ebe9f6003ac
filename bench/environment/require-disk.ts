import { statfsSync } from 'node:fs';
import { formatFigure } from '../results';
import type { Servers } from './servers';

/** @throws Error if the disk has less than `bytes` free for a measure */
export function requireDisk({ directory }: Servers, measure: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free < bytes)
    throw new Error(
      `The measure ${measure} needs ${formatFigure(bytes / 1e9)} GB of disk and ${formatFigure(free / 1e9)} GB are free. Use a lower --stored.`,
    );
}
