import { createHash } from 'node:crypto';
import { UsageError } from '../usage-error';
import type { FileOption, JsonLinesFile } from './json-lines-file';
import type { Line } from './lines';

/**
 * Reads a file once before anything is sent, so that a broken file is reported before its first half is imported.
 *
 * @param onLine receives each parsed line
 * @returns the SHA-256 of the unpacked file; undefined if `stop` was aborted
 * @throws UsageError if the file is empty, a broken gzip file, or a JSON array
 */
export async function scanFile<T>(
  file: JsonLinesFile,
  option: FileOption,
  parse: (line: Line, maxBytes: number) => T | undefined,
  onLine: (line: T) => void,
  stop: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  let lineCount = 0;
  const parseFirst = (line: Line, maxBytes: number): T | undefined => {
    if (lineCount === 0 && line.text !== undefined) refuseArray(file.path, line.text);
    const parsed = parse(line, maxBytes);
    if (parsed !== undefined) lineCount += 1;
    return parsed;
  };
  for await (const line of file.parse(parseFirst, (chunk) => hash.update(chunk))) {
    onLine(line);
    if (stop.aborted) return undefined;
  }
  if (lineCount === 0)
    throw new UsageError(`There is no line in ${file.path}, so nothing was sent. Check ${option}.`);
  return hash.digest('hex');
}

function refuseArray(path: string, firstText: string): void {
  if (!firstText.trimStart().startsWith('[')) return;
  throw new UsageError(
    `${path} is a JSON array. Write one JSON object per line (NDJSON), for example with: jq -c '.[]'`,
  );
}
