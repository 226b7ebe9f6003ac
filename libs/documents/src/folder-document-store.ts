import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DocumentKey, settled } from './document-key';
import {
  type DocumentStore,
  DocumentStoreUnavailable,
  type OpenedDocument,
  type StoreLimits,
} from './document-store';
import { answeredWithin, contentOf, existingAmong } from './time-limits';

interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/** Without waiting for the other end of a pipe, and not through a link. */
const TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What opening answers where there is no regular file, or can be none. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENAMETOOLONG', 'ENXIO']);

/**
 * Documents as files below one folder. The folder itself may be a link, below it none is followed: a document is a
 * regular file that stands where its key says.
 */
export class FolderDocumentStore implements DocumentStore {
  constructor(
    private readonly folder: string,
    private readonly limits: StoreLimits,
  ) {}

  head(key: DocumentKey): Promise<{ size: number } | undefined> {
    return this.answer(async (signal) => {
      const file = await this.open(key, signal);
      await file?.handle.close();
      return file && { size: file.size };
    });
  }

  read(key: DocumentKey, { maxBytes }: { maxBytes: number }): Promise<OpenedDocument> {
    return this.answer<OpenedDocument>(async (signal) => {
      const file = await this.open(key, signal);
      if (!file) return { outcome: 'missing' };
      const { handle, size } = file;
      if (size > maxBytes) {
        await handle.close();
        return { outcome: 'too_large', size };
      }
      const content = contentOf(handle.createReadStream(), size, this.limits.readTimeoutMs);
      return { outcome: 'found', size, content };
    });
  }

  existing(keys: Iterable<DocumentKey>): Promise<Set<DocumentKey>> {
    return existingAmong(keys, this.limits, (key) => this.head(key));
  }

  put(key: DocumentKey, content: Uint8Array): Promise<void> {
    return this.answer(async () => {
      const root = await realpath(this.folder);
      const path = join(root, settled(key));
      await makeFolders(root, key.split('/').slice(0, -1));
      const draft = join(dirname(path), `.${randomUUID()}`);
      try {
        await writeFile(draft, content, { flag: 'wx' });
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
    });
  }

  remove(key: DocumentKey): Promise<void> {
    return this.answer(async (signal) => {
      // Opened as for reading: what is no document, or stands behind a link, is left alone.
      const file = await this.open(key, signal);
      if (!file) return;
      await file.handle.close();
      await rm(join(await realpath(this.folder), settled(key)), { force: true });
    });
  }

  private answer<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return answeredWithin(this.limits.operationTimeoutMs, ask);
  }

  private async open(key: DocumentKey, signal: AbortSignal): Promise<OpenFile | undefined> {
    // Fails where the folder itself is not there, which is not the same as a document that is not there.
    const path = join(await realpath(this.folder), settled(key));
    const handle = await orNone(open(path, TO_READ));
    if (!handle) return undefined;
    try {
      const [stats, place] = await Promise.all([handle.stat(), placeOf(handle, path)]);
      if (place === `${path} (deleted)`) throw new DocumentStoreUnavailable('ECHANGED');
      if (stats.isFile() && place === path && !signal.aborted) return { handle, size: stats.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return undefined;
  }
}

/** Where an open file really is. Only Linux says it of the file itself, whatever stands at its path by now. */
function placeOf(handle: FileHandle, path: string): Promise<string | undefined> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : orNone(realpath(path));
}

async function makeFolders(root: string, names: readonly string[]): Promise<void> {
  let folder = root;
  for (const name of names) {
    folder = join(folder, name);
    await mkdir(folder).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    if (!(await lstat(folder)).isDirectory()) throw new DocumentStoreUnavailable('ENOTDIR');
  }
}

async function orNone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
