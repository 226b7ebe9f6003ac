/** Characters of a first line that are examined. */
const EXAMINED = 2_000;

const SEPARATORS: readonly [string, string][] = [
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
];

/**
 * Tells that an upload is no book by its first bytes.
 *
 * @returns a sentence; undefined if its lines can be read, or if all of the bytes are blank
 */
export function describeOtherBytes(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b)
    return 'The body is compressed with gzip. Send it with Content-Encoding: gzip, or uncompressed.';
  if (bytes.toString('latin1', 0, 4) === 'PK\x03\x04')
    return 'The body seems to be a ZIP file, such as the workbook of a spreadsheet program.';
  const isMarkedUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarkedUtf16 || first === 0 || second === 0) return 'The body seems to be UTF-16. Save it as UTF-8.';
  const start = startOf(bytes);
  if (start === '[') return 'The body is a JSON array.';
  if (start === '"' && /"\{\\/.test(bytes.toString('latin1', 0, EXAMINED)))
    return 'The body is a JSON text that has the lines in it: they were serialised twice. Send them as they are, without JSON.stringify of the whole.';
  return start === '<' ? 'The body seems to be XML.' : undefined;
}

/**
 * Tells that an upload is no book by its first line, which is no account: text that continues as JSON on the next line,
 * names with separators between them, or no text.
 */
export function describeOtherLine(line: Buffer): string | undefined {
  const text = line.toString('utf8', 0, EXAMINED).trim();
  if (text.startsWith('{')) {
    const last =
      line
        .toString('latin1', Math.max(0, line.length - EXAMINED))
        .trimEnd()
        .at(-1) ?? '';
    return '{[,:'.includes(last)
      ? 'The body seems to be pretty-printed JSON: its first line continues on the next one.'
      : undefined;
  }
  if (/\p{Cc}/u.test(text.replaceAll('\t', '')))
    return 'The body seems to be binary: its first line has control characters.';
  const separator = SEPARATORS.find(([character]) => text.includes(character));
  return separator && `The body seems to be CSV, separated by ${separator[1]}.`;
}

/** The first character that is not blank, as far as the bytes go; empty if all are. */
export function startOf(bytes: Buffer): string {
  const text = bytes.toString('latin1', 0, 1_000);
  return text.replace(/^ï»¿/, '').trimStart().charAt(0);
}
