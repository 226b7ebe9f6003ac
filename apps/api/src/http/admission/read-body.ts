import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { PortageError } from '@portage/platform';

/** True if a request has a body, as its headers say. */
export function hasBody({ headers }: { headers: IncomingHttpHeaders }): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0';
}

/** The Content-Length of a request; undefined for a body that is sent in chunks. Node refuses any other text. */
export function contentLengthOf({ headers }: { headers: IncomingHttpHeaders }): number | undefined {
  const text = headers['content-length'];
  return text === undefined ? undefined : Number(text);
}

/** Decides about a body while it arrives. */
export interface BodyReading {
  /** Maximum size of the unpacked body. A larger one is `payload_too_large`. */
  readonly maxBytes: number;
  /** The header Content-Length, if there is one and the stream is not unpacked. */
  readonly contentLength: number | undefined;
  /** Sees each chunk, with the number of bytes so far. An error that it returns ends the reading. */
  readonly accept: (chunk: Buffer, receivedBytes: number) => PortageError | undefined;
}

/**
 * Reads a body into memory. Sizes are those of the stream: a stream that unpacks a compressed body is limited by what
 * it unpacks. The rest of a refused body is not read.
 *
 * @param done is called once, with the error or the body
 */
export function readBody(
  stream: Readable,
  { maxBytes, contentLength, accept }: BodyReading,
  done: (error: Error | undefined, body?: Buffer) => void,
): void {
  if (contentLength !== undefined && contentLength > maxBytes) {
    done(bodyTooLarge(maxBytes));
    return;
  }
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  const finish = (error: Error | undefined, body?: Buffer) => {
    stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
    // A stream that is not read any more may still fail, and an error without a listener ends the process.
    if (error) stream.on('error', ignore);
    done(error, body);
  };
  const onData = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    const refusal = receivedBytes > maxBytes ? bodyTooLarge(maxBytes) : accept(chunk, receivedBytes);
    if (refusal) finish(refusal);
    else chunks.push(chunk);
  };
  const onEnd = () => {
    if (contentLength !== undefined && contentLength !== receivedBytes) finish(incompleteBody());
    else finish(undefined, join(chunks, receivedBytes));
  };
  // A stream that unpacks a compressed body says why it cannot.
  const onError = (error?: Error) => {
    finish(error instanceof PortageError ? error : incompleteBody());
  };
  const onClose = () => {
    finish(incompleteBody());
  };
  stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  stream.resume();
}

/** A body of one chunk is a view of the socket's buffer of 64 kB, so it must not be retained. */
function join(chunks: readonly Buffer[], length: number): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, length);
}

function ignore(): void {
  // The body was refused, so that its end does not matter.
}

/** Builds the error for a body that is larger than it may be. */
export function bodyTooLarge(maxBytes: number): PortageError {
  return new PortageError('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
}

function incompleteBody(): PortageError {
  return new PortageError('parse_error', 'The body did not arrive completely.');
}
