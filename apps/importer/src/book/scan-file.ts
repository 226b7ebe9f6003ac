import { createHash } from 'node:crypto';
import { UsageError } from '../usage-error';
import type { JsonLinesFile } from './json-lines-file';
import type { Line } from './lines';

/**
 * Reads a file once before anything is sent, so that a broken file is reported before its first half is imported.
 *
 * @param onLine receives each parsed line
 * @returns the SHA-256 of the unpacked file; undefined if `stop` was aborted
 * @throws UsageError if the file is empty, a broken gzip file, a JSON array, pretty-printed JSON or CSV
 */
export async function scanFile<T>(
  file: JsonLinesFile,
  parse: (line: Line, maxBytes: number) => T | undefined,
  onLine: (line: T) => void,
  stop: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  let lineCount = 0;
  const parseFirst = (line: Line, maxBytes: number): T | undefined => {
    if (lineCount === 0 && line.text !== undefined) refuseOtherFormat(file.path, line.text);
    const parsed = parse(line, maxBytes);
    if (parsed !== undefined) lineCount += 1;
    return parsed;
  };
  for await (const line of file.parse(parseFirst, (chunk) => hash.update(chunk))) {
    onLine(line);
    if (stop.aborted) return undefined;
  }
  if (lineCount === 0)
    throw new UsageError(`There is no line in ${file.path}, so nothing was sent. Check --file.`);
  return hash.digest('hex');
}

/** Every line of such a file would be refused. */
function refuseOtherFormat(path: string, firstText: string): void {
  const text = firstText.trim();
  const write = 'Write one JSON object per line (NDJSON)';
  if (text.startsWith('['))
    throw new UsageError(`${path} is a JSON array. ${write}, for example with: jq -c '.[]'`);
  if (text.startsWith('"{\\'))
    throw new UsageError(
      `${path} is a JSON text that has the lines in it: they were serialised twice. ${write}.`,
    );
  if (text.startsWith('{')) {
    if ('{[,:'.includes(text.at(-1) ?? ''))
      throw new UsageError(`${path} seems to be pretty-printed JSON. ${write}, for example with: jq -c .`);
  } else if (/[,;\t|]/.test(text)) throw new UsageError(`${path} seems to be CSV. ${write}.`);
}
