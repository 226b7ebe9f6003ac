import { type Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type DocumentStoreAddress } from '@portage/config';
import { type DocumentKey, settled } from './document-key';
import {
  type DocumentStore,
  DocumentStoreUnavailable,
  type OpenedDocument,
  type StoreLimits,
} from './document-store';
import { answeredWithin, contentOf, existingAmong } from './time-limits';

type S3Address = Extract<DocumentStoreAddress, { kind: 's3' }>;

/**
 * Documents as objects of one bucket of an S3-compatible store. Credentials are found by the SDK; they need
 * `s3:GetObject`, and `s3:ListBucket`, without which S3 does not tell a missing document from a forbidden one; erasing
 * accounts also needs `s3:DeleteObject`.
 */
export class S3DocumentStore implements DocumentStore, OnApplicationShutdown {
  private readonly client: S3Client;
  private readonly bucket: string;
  private bucketWasSeen = false;

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
      // Retries are the queue's, and the client's that is told 503.
      maxAttempts: 1,
      // Other stores than Amazon's do not know the checksums that the SDK adds by itself.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: limits.operationTimeoutMs,
        httpAgent: agent,
        httpsAgent: agent,
        // Waiting for a free socket ends by our own limit. The SDK would print a warning before that.
        socketAcquisitionWarningTimeout: 2 * limits.operationTimeoutMs,
      },
    });
  }

  head(key: DocumentKey): Promise<{ size: number } | undefined> {
    return this.answer(async (abortSignal) => {
      const command = new HeadObjectCommand({ Bucket: this.bucket, Key: settled(key) });
      const found = await this.orMissing(this.client.send(command, { abortSignal }), abortSignal);
      return found && { size: sizeOf(found) };
    });
  }

  read(key: DocumentKey, { maxBytes }: { maxBytes: number }): Promise<OpenedDocument> {
    return this.answer<OpenedDocument>(async (abortSignal) => {
      const command = new GetObjectCommand({ Bucket: this.bucket, Key: settled(key) });
      const found = await this.orMissing(this.client.send(command, { abortSignal }), abortSignal);
      if (!found) return { outcome: 'missing' };
      const body = found.Body as Readable;
      const size = sizeOf(found);
      if (size > maxBytes) {
        // The rest would have to be read to keep the connection.
        body.destroy();
        return { outcome: 'too_large', size };
      }
      return { outcome: 'found', size, content: contentOf(body, size, this.limits.readTimeoutMs) };
    });
  }

  existing(keys: Iterable<DocumentKey>): Promise<Set<DocumentKey>> {
    return existingAmong(keys, this.limits, (key) => this.head(key));
  }

  put(key: DocumentKey, content: Uint8Array): Promise<void> {
    return this.answer(async (abortSignal) => {
      const command = new PutObjectCommand({ Bucket: this.bucket, Key: settled(key), Body: content });
      await this.client.send(command, { abortSignal });
    });
  }

  remove(key: DocumentKey): Promise<void> {
    return this.answer(async (abortSignal) => {
      const command = new DeleteObjectCommand({ Bucket: this.bucket, Key: settled(key) });
      await this.orMissing(this.client.send(command, { abortSignal }), abortSignal);
    });
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }

  private answer<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return answeredWithin(this.limits.operationTimeoutMs, ask);
  }

  private async orMissing<T>(found: Promise<T>, abortSignal: AbortSignal): Promise<T | undefined> {
    try {
      return await found;
    } catch (error) {
      if (!isNotFound(error) || error.name === 'NoSuchBucket') throw error;
      await this.seeBucket(abortSignal);
      return undefined;
    }
  }

  /** HEAD has no body, so that without its bucket an object looks merely missing. */
  private async seeBucket(abortSignal: AbortSignal): Promise<void> {
    if (this.bucketWasSeen) return;
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }), { abortSignal });
    } catch (error) {
      throw isNotFound(error) ? new DocumentStoreUnavailable('NoSuchBucket') : error;
    }
    this.bucketWasSeen = true;
  }
}

function isNotFound(error: unknown): error is S3ServiceException {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}

function sizeOf({ ContentLength: size }: { ContentLength?: number | undefined }): number {
  if (size === undefined) throw new DocumentStoreUnavailable('NoContentLength');
  return size;
}
