import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { type DocumentKey, requireNormalized } from './document-key';
import {
  type DocumentDraft,
  type DocumentStore,
  DocumentStoreUnavailable,
  type OpenedDocument,
  type StoreLimits,
} from './document-store';
import { findExisting, streamContent, withStoreTimeout } from './time-limits';

interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/** Does not wait for the other end of a pipe and does not follow a link. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The error codes of opening a path where no regular file exists or can exist. */
const MISSING_FILE_CODES = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENAMETOOLONG', 'ENXIO']);

/** The folder of drafts. No document root begins with a dot. */
const DRAFTS = '.uploads';

/** The age at which a draft is removed: its process was killed, because an upload ends long before. */
const MAX_DRAFT_AGE_MS = 3_600_000;

/**
 * Stores documents as files below one folder. The folder itself may be a link; links below it are not followed. A
 * document is a regular file at exactly the path of its key.
 */
export class FolderDocumentStore implements DocumentStore {
  /** When old drafts were removed last. */
  private sweptAt = -Infinity;

  constructor(
    private readonly folder: string,
    private readonly limits: StoreLimits,
  ) {}

  head(key: DocumentKey): Promise<{ size: number } | undefined> {
    return this.run(async (signal) => {
      const file = await this.open(key, signal);
      await file?.handle.close();
      return file && { size: file.size };
    });
  }

  read(key: DocumentKey, { maxBytes }: { maxBytes: number }): Promise<OpenedDocument> {
    return this.run<OpenedDocument>(async (signal) => {
      const file = await this.open(key, signal);
      if (!file) return { outcome: 'missing' };
      const { handle, size } = file;
      if (size > maxBytes) {
        await handle.close();
        return { outcome: 'too_large', size };
      }
      const content = streamContent(handle.createReadStream(), size, this.limits.readTimeoutMs);
      return { outcome: 'found', size, content };
    });
  }

  existing(keys: Iterable<DocumentKey>): Promise<Set<DocumentKey>> {
    return findExisting(keys, this.limits, (key) => this.head(key));
  }

  async write(key: DocumentKey, content: AsyncIterable<Uint8Array>): Promise<DocumentDraft> {
    const { draft, handle } = await this.run(async () => this.createDraft());
    const discard = async () => rm(draft, { force: true }).catch(() => undefined);
    try {
      for await (const chunk of content) await this.run(async () => handle.appendFile(chunk));
      await this.run(async () => handle.sync());
      await handle.close();
    } catch (error) {
      await handle.close().catch(() => undefined);
      await discard();
      throw error;
    }
    return { publish: async () => this.publish(draft, key), discard };
  }

  async put(key: DocumentKey, content: Uint8Array): Promise<void> {
    const draft = await this.write(key, Readable.from([content]));
    try {
      await draft.publish();
    } finally {
      await draft.discard();
    }
  }

  remove(key: DocumentKey): Promise<void> {
    return this.run(async (signal) => {
      // Opens the file first, so that only a regular file that is not behind a link is removed.
      const file = await this.open(key, signal);
      if (!file) return;
      await file.handle.close();
      await rm(join(await realpath(this.folder), requireNormalized(key)), { force: true });
    });
  }

  private async createDraft(): Promise<{ draft: string; handle: FileHandle }> {
    const root = await realpath(this.folder);
    await makeFolders(root, [DRAFTS]);
    const drafts = join(root, DRAFTS);
    await this.sweepDrafts(drafts);
    const draft = join(drafts, randomUUID());
    return { draft, handle: await open(draft, 'wx', 0o600) };
  }

  private async publish(draft: string, key: DocumentKey): Promise<void> {
    await this.run(async (signal) => {
      const root = await realpath(this.folder);
      const path = join(root, requireNormalized(key));
      await makeFolders(root, key.split('/').slice(0, -1));
      // After the timeout the draft is discarded, and the document is not to appear.
      if (signal.aborted) return;
      await rename(draft, path);
      // Without this the name of the file may be lost with the power.
      const folder = await open(dirname(path));
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    });
  }

  /** Removes the drafts of processes that were killed, with the first upload and once in {@link MAX_DRAFT_AGE_MS}. */
  private async sweepDrafts(drafts: string): Promise<void> {
    if (performance.now() - this.sweptAt < MAX_DRAFT_AGE_MS) return;
    this.sweptAt = performance.now();
    for (const name of await readdir(drafts)) {
      const draft = join(drafts, name);
      const found = await undefinedIfMissing(stat(draft));
      if (found && Date.now() - found.mtimeMs > MAX_DRAFT_AGE_MS) await rm(draft, { force: true });
    }
  }

  private run<T>(operation: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withStoreTimeout(this.limits.operationTimeoutMs, operation);
  }

  private async open(key: DocumentKey, signal: AbortSignal): Promise<OpenFile | undefined> {
    // Fails if the folder itself is missing, which must not look like a missing document.
    const path = join(await realpath(this.folder), requireNormalized(key));
    const handle = await undefinedIfMissing(open(path, READ_FLAGS));
    if (!handle) return undefined;
    try {
      const [stats, actualPath] = await Promise.all([handle.stat(), actualPathOf(handle, path)]);
      if (actualPath === `${path} (deleted)`) throw new DocumentStoreUnavailable('ECHANGED');
      if (stats.isFile() && actualPath === path && !signal.aborted) return { handle, size: stats.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return undefined;
  }
}

/** The actual path of an open file. Only Linux reports it for the handle, even if the path was replaced meanwhile. */
function actualPathOf(handle: FileHandle, path: string): Promise<string | undefined> {
  return process.platform === 'linux'
    ? readlink(`/proc/self/fd/${handle.fd}`)
    : undefinedIfMissing(realpath(path));
}

async function makeFolders(root: string, names: readonly string[]): Promise<void> {
  let folder = root;
  for (const name of names) {
    folder = join(folder, name);
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    if (!(await lstat(folder)).isDirectory()) throw new DocumentStoreUnavailable('ENOTDIR');
  }
}

async function undefinedIfMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (MISSING_FILE_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
