import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens a file that only this process can read. It has no name, so that it disappears with the process. */
export async function openTemporaryFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'import-book-'));
  try {
    const path = join(folder, 'data');
    const handle = await open(path, 'wx+', 0o600);
    await rm(path);
    return handle;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
