import { gzipSync } from 'node:zlib';

/** An upload of a submission that costs its sender little. */
interface HostileUpload {
  name: string;
  /** @param bytes the unpacked size */
  build: (bytes: number) => Buffer;
  isCompressed: boolean;
}

const repeat = (text: string, bytes: number) => Buffer.alloc(bytes - (bytes % text.length), text);

const blank = (name: string, line: string): HostileUpload => ({
  name,
  build: (bytes) => repeat(line, bytes),
  isCompressed: false,
});

/** The longest line that is read, of which nothing remains. */
const LONG_LINE_BYTES = 10_000_000;

export const HOSTILE_UPLOADS: readonly HostileUpload[] = [
  blank('empty lines', '\n'),
  blank('empty lines with CR', '\r\n'),
  blank('lines of a blank', ' \n'),
  blank('long lines of blanks', `${' '.repeat(LONG_LINE_BYTES)}\n`),
  {
    name: 'empty lines, packed',
    build: (bytes) => gzipSync(repeat('\n', bytes)),
    isCompressed: true,
  },
  {
    name: 'empty lines, packed, with bytes between them that cannot be packed',
    // Some bytes that cannot be packed in each 64 KiB.
    build: (bytes) => {
      const line = () =>
        `${Array.from({ length: 80 }, () => Math.random().toString(36).slice(2, 8)).join('')}\n`;
      return gzipSync(
        Buffer.concat(
          Array.from({ length: Math.floor(bytes / 65_536) }, () =>
            Buffer.concat([Buffer.from(line()), repeat('\n', 65_000)]),
          ),
        ),
      );
    },
    isCompressed: true,
  },
  {
    name: 'one refused line again and again, packed',
    build: (bytes) => gzipSync(repeat('1\n', bytes)),
    isCompressed: true,
  },
];
