import { PortageError } from '@portage/platform';
import { STALLED_UPLOAD_MS, type StreamedBody } from '../http/streamed-body';

/** Time after which an upload of one document ends, however steadily it arrives: its sender holds a place of others. */
const MAX_DOCUMENT_UPLOAD_MS = 900_000;

const IDLE_MS = 1_000;

/**
 * The bytes of a document, as they arrive.
 *
 * @param body undefined for a request without a body
 * @throws PortageError `upload_stalled` if its sender sends nothing, or too slowly; `parse_error` if there are no bytes or
 * the connection is lost
 */
export async function* readDocument(
  body: Pick<StreamedBody, 'read'> | undefined,
  maxMs = MAX_DOCUMENT_UPLOAD_MS,
): AsyncGenerator<Buffer> {
  const end = performance.now() + maxMs;
  for (let isEmpty = true; ;) {
    const chunk = await body?.read(IDLE_MS).catch((error: unknown) => {
      throw isStalled(error) ? buildStalled(`Nothing was sent for ${STALLED_UPLOAD_MS / 1_000} s.`) : error;
    });
    if (chunk === undefined) {
      if (isEmpty) throw new PortageError('parse_error', 'The body is empty. Send the bytes of the PDF.');
      return;
    }
    if (performance.now() > end) throw buildStalled(`It did not arrive within ${maxMs / 1_000} s.`);
    // A plain body is not cut.
    if (!(chunk instanceof Buffer)) continue;
    isEmpty = false;
    yield chunk;
  }
}

function isStalled(error: unknown): boolean {
  return error instanceof PortageError && error.code === 'upload_stalled';
}

function buildStalled(reason: string): PortageError {
  return new PortageError('upload_stalled', `${reason} Nothing was stored. Send the whole document again.`);
}
