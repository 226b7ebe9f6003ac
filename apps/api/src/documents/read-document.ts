import { PortageError } from '@portage/platform';
import { STALLED_UPLOAD_MS, type StreamedBody } from '../http/streamed-body';

/** Time after which an upload of one document ends, however steadily it arrives: its sender holds a place of others. */
export const MAX_DOCUMENT_UPLOAD_MS = 900_000;

const IDLE_MS = 1_000;

/**
 * The bytes of a document, as they arrive.
 *
 * @throws PortageError `upload_stalled` if its sender sends nothing, or too slowly; `parse_error` if the connection is lost
 */
export async function* readDocument(
  body: Pick<StreamedBody, 'read'>,
  maxMs = MAX_DOCUMENT_UPLOAD_MS,
): AsyncGenerator<Buffer> {
  const end = performance.now() + maxMs;
  for (;;) {
    const chunk = await body.read(IDLE_MS).catch((error: unknown) => {
      throw isStalled(error) ? buildStalled(`Nothing was sent for ${STALLED_UPLOAD_MS / 1_000} s.`) : error;
    });
    if (chunk === undefined) return;
    if (performance.now() > end) throw buildStalled(`It did not arrive within ${maxMs / 1_000} s.`);
    // A plain body is not cut.
    if (chunk instanceof Buffer) yield chunk;
  }
}

function isStalled(error: unknown): boolean {
  return error instanceof PortageError && error.code === 'upload_stalled';
}

function buildStalled(reason: string): PortageError {
  return new PortageError('upload_stalled', `${reason} Nothing was stored. Send the whole document again.`);
}
