import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DocumentStoreAddress } from '../config/document-store-url';
import { type DocumentKey, requireNormalized } from './document-key';
import {
  type DocumentDraft,
  type DocumentStore,
  DocumentStoreUnavailable,
  type OpenedDocument,
  type StoreLimits,
} from './document-store';
import { findExisting, streamContent, withStoreTimeout } from './time-limits';

// The SDK warns on Node 20 that its later versions will need Node 22. Its version is pinned, and runs on each supported Node.
// oxlint-disable-next-line portage/no-environment -- the SDK reads this switch from the environment only
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

/** The size of a part of a long document: the least that S3 takes. A document up to this size is sent at once. */
const PART_BYTES = 5 << 20;

type S3Address = Extract<DocumentStoreAddress, { kind: 's3' }>;

/**
 * Stores documents as objects in one bucket of an S3-compatible store. The SDK finds the credentials. They need
 * `s3:GetObject` and `s3:ListBucket` (without it S3 does not distinguish a missing document from a forbidden one), and
 * `s3:DeleteObject` to erase accounts, and `s3:PutObject` and `s3:AbortMultipartUpload` for uploads through the API. A
 * process that is killed leaves parts, which a lifecycle rule of the bucket removes.
 */
export class S3DocumentStore implements DocumentStore, OnApplicationShutdown {
  private readonly client: S3Client;
  private readonly bucket: string;
  private isBucketConfirmed = false;

  constructor(
    { bucket, region, endpoint, forcePathStyle }: S3Address,
    private readonly limits: StoreLimits,
  ) {
    this.bucket = bucket;
    const agent = { maxSockets: limits.maxConcurrent };
    this.client = new S3Client({
      region,
      forcePathStyle,
      ...(endpoint && { endpoint }),
      // The queue retries, and a client that gets 503 retries.
      maxAttempts: 1,
      // Stores other than Amazon S3 do not support the checksums that the SDK adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: limits.operationTimeoutMs,
        httpAgent: agent,
        httpsAgent: agent,
        // The operation timeout limits the wait for a free socket. The SDK would print a warning before it expires.
        socketAcquisitionWarningTimeout: 2 * limits.operationTimeoutMs,
      },
    });
  }

  head(key: DocumentKey): Promise<{ size: number } | undefined> {
    return this.run(async (abortSignal) => {
      const command = new HeadObjectCommand({ Bucket: this.bucket, Key: requireNormalized(key) });
      const found = await this.undefinedIfMissing(this.client.send(command, { abortSignal }), abortSignal);
      return found && { size: sizeOf(found) };
    });
  }

  read(key: DocumentKey, { maxBytes }: { maxBytes: number }): Promise<OpenedDocument> {
    return this.run<OpenedDocument>(async (abortSignal) => {
      const command = new GetObjectCommand({ Bucket: this.bucket, Key: requireNormalized(key) });
      const found = await this.undefinedIfMissing(this.client.send(command, { abortSignal }), abortSignal);
      if (!found) return { outcome: 'missing' };
      const body = found.Body as Readable;
      const size = sizeOf(found);
      if (size > maxBytes) {
        // Keeping the connection would require reading the rest.
        body.destroy();
        return { outcome: 'too_large', size };
      }
      return { outcome: 'found', size, content: streamContent(body, size, this.limits.readTimeoutMs) };
    });
  }

  existing(keys: Iterable<DocumentKey>): Promise<Set<DocumentKey>> {
    return findExisting(keys, this.limits, (key) => this.head(key));
  }

  async write(key: DocumentKey, content: AsyncIterable<Uint8Array>): Promise<DocumentDraft> {
    const parts = new S3Parts(this.client, this.limits, { Bucket: this.bucket, Key: requireNormalized(key) });
    try {
      let chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of content) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes < PART_BYTES) continue;
        await parts.add(Buffer.concat(chunks));
        chunks = [];
        bytes = 0;
      }
      const rest = Buffer.concat(chunks);
      const isShort = parts.isEmpty;
      if (!isShort && rest.length > 0) await parts.add(rest);
      return {
        publish: async () => (isShort ? this.put(key, rest) : parts.complete()),
        discard: async () => parts.abort(),
      };
    } catch (error) {
      await parts.abort();
      throw error;
    }
  }

  put(key: DocumentKey, content: Uint8Array): Promise<void> {
    return this.run(async (abortSignal) => {
      const command = new PutObjectCommand({
        Bucket: this.bucket,
        Key: requireNormalized(key),
        Body: content,
      });
      await this.client.send(command, { abortSignal });
    });
  }

  remove(key: DocumentKey): Promise<void> {
    return this.run(async (abortSignal) => {
      const command = new DeleteObjectCommand({ Bucket: this.bucket, Key: requireNormalized(key) });
      await this.undefinedIfMissing(this.client.send(command, { abortSignal }), abortSignal);
    });
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }

  private run<T>(operation: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withStoreTimeout(this.limits.operationTimeoutMs, operation);
  }

  private async undefinedIfMissing<T>(result: Promise<T>, abortSignal: AbortSignal): Promise<T | undefined> {
    try {
      return await result;
    } catch (error) {
      if (!isNotFound(error) || error.name === 'NoSuchBucket') throw error;
      await this.requireBucket(abortSignal);
      return undefined;
    }
  }

  /** The response to HEAD has no body, so an object in a missing bucket looks like a missing object. */
  private async requireBucket(abortSignal: AbortSignal): Promise<void> {
    if (this.isBucketConfirmed) return;
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }), { abortSignal });
    } catch (error) {
      throw isNotFound(error) ? new DocumentStoreUnavailable('NoSuchBucket') : error;
    }
    this.isBucketConfirmed = true;
  }
}

/** The parts of a document that is too long for one request. They are not visible before they are completed. */
class S3Parts {
  private uploadId: string | undefined;
  private readonly parts: CompletedPart[] = [];

  constructor(
    private readonly client: S3Client,
    private readonly limits: StoreLimits,
    private readonly object: { readonly Bucket: string; readonly Key: string },
  ) {}

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  async add(content: Uint8Array): Promise<void> {
    this.uploadId ??= await this.run(async (abortSignal) => {
      const command = new CreateMultipartUploadCommand(this.object);
      return (await this.client.send(command, { abortSignal })).UploadId;
    });
    const PartNumber = this.parts.length + 1;
    const command = { ...this.object, UploadId: this.uploadId, PartNumber, Body: content };
    const { ETag } = await this.run(async (abortSignal) =>
      this.client.send(new UploadPartCommand(command), { abortSignal }),
    );
    this.parts.push({ PartNumber, ETag });
  }

  async complete(): Promise<void> {
    const upload = { ...this.object, UploadId: this.uploadId, MultipartUpload: { Parts: this.parts } };
    await this.run(async (abortSignal) =>
      this.client.send(new CompleteMultipartUploadCommand(upload), { abortSignal }),
    );
    this.uploadId = undefined;
  }

  /** Removes the parts, unless they are a document by now. A store that does not answer keeps them, invisible. */
  async abort(): Promise<void> {
    const { uploadId } = this;
    if (uploadId === undefined) return;
    this.uploadId = undefined;
    const command = new AbortMultipartUploadCommand({ ...this.object, UploadId: uploadId });
    await this.run(async (abortSignal) => this.client.send(command, { abortSignal })).catch(() => undefined);
  }

  private async run<T>(operation: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withStoreTimeout(this.limits.operationTimeoutMs, operation);
  }
}

function isNotFound(error: unknown): error is S3ServiceException {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}

function sizeOf({ ContentLength: size }: { ContentLength?: number | undefined }): number {
  if (size === undefined) throw new DocumentStoreUnavailable('NoContentLength');
  return size;
}
