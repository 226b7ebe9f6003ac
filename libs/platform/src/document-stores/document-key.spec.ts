import fc from 'fast-check';
import { documentKey } from './document-key';

const ESC = (codes: string) => String.fromCharCode(...codes.split(' ').map((code) => parseInt(code, 16)));

describe('a document path', () => {
  it.each([
    ['acme', 'statement.pdf', 'acme/statement.pdf'],
    ['acme', '/statement.pdf', 'acme/statement.pdf'],
    ['acme/2024', 'a/b/c.pdf', 'acme/2024/a/b/c.pdf'],
    ['/acme/', 'a.pdf', 'acme/a.pdf'],
  ])('below the root %j, %j resolves to %j', (root, path, key) => {
    expect(documentKey(root, path)).toEqual({ outcome: 'resolved', key });
  });

  it.each([
    ['dots within names', 'a..b/.hidden/c...pdf'],
    ['a dot at the end of a name', 'notes./v1.'],
    ['spaces and signs', "it's (1) & [2]; 50% + $3 = #4?.pdf"],
    ['a percent sequence that stands for nothing special', 'two%20words.pdf'],
    ['letters beyond ASCII, as they are written', `Zoe${ESC('0308')}/${ESC('00eb')}.pdf`],
    ['a joiner that Persian and emoji need', `${ESC('0645 06cc 200c 062e')}.pdf`],
    ['a letter outside the basic plane', '𝒜.pdf'],
    ['a colon that is no drive', 'at 10:30.pdf'],
    ['a name of 255 bytes', 'é'.repeat(127) + 'x'],
    ['a key of 1024 bytes', `${'d'.repeat(200)}/`.repeat(5) + 'x'.repeat(14)],
  ])('may have %s', (_case, path) => {
    expect(documentKey('acme', path)).toEqual({ outcome: 'resolved', key: `acme/${path}` });
  });

  it.each([
    ['nothing', ''],
    ['nothing but a slash', '/'],
    ['a parent segment', '../other/statement.pdf'],
    ['a parent segment after a slash', '/../other/statement.pdf'],
    ['a parent segment in the middle', 'a/../../other'],
    ['a parent segment at the end', 'a/..'],
    ['a segment of one dot', './a'],
    ['a segment of three dots', 'a/.../b'],
    ['dots and spaces', 'a/.. /b'],
    ['a segment of a space', 'a/ /b'],
    ['a second leading slash', '//etc/passwd'],
    ['an empty segment', 'a//b'],
    ['a slash at the end', 'a/'],
    ['a URL', 'https://example.com/a.pdf'],
    ['backslashes', '..\\..\\a'],
    ['one backslash', 'a\\b'],
    ['encoded dots', '%2e%2e/a'],
    ['encoded dots in capitals', '%2E./a'],
    ['an encoded slash', 'a%2fb'],
    ['an encoded backslash', 'a%5Cb'],
    ['an encoded percent sign', '%252e%252e/a'],
    ['an encoded NUL', 'a.pdf%00.png'],
    ['an encoded line break', 'a%0d%0ab'],
    ['an encoded overlong dot', '%c0%ae%c0%ae/a'],
    ['an encoded slash with a percent sign in full width', `a${ESC('ff05')}2fb`],
    ['NUL', `a.pdf${ESC('0')}.png`],
    ['a line break', 'a\nb'],
    ['a tab', 'a\tb'],
    ['DEL', `a${ESC('7f')}`],
    ['a C1 control', `a${ESC('85')}`],
    ['a drive letter', 'C:/a'],
    ['a drive letter without a slash', 'c:a'],
    ['a drive letter after a slash', '/C:/a'],
    ['a drive letter in full width', `${ESC('ff23 ff1a')}/a`],
    ['dots in full width', `${ESC('ff0e ff0e')}/a`],
    ['a two-dot leader', `${ESC('2025')}/a`],
    ['one-dot leaders', `${ESC('2024 2024')}/a`],
    ['a dot and a dot in full width', `.${ESC('ff0e')}/a`],
    ['a slash in full width', `a${ESC('ff0f')}b`],
    ['dots and a slash in full width', `..${ESC('ff0f')}b`],
    ['a sign with a slash in it', `a${ESC('2100')}b`],
    ['a backslash in full width', `a${ESC('ff3c')}b`],
    ['a backslash in small form', `a${ESC('fe68')}b`],
    ['a right-to-left override', `a${ESC('202e')}fdp.exe`],
    ['a right-to-left isolate', `a${ESC('2067')}b`],
    ['an Arabic letter mark', `a${ESC('61c')}b`],
    ['a zero-width space', `.${ESC('200b')}./a`],
    ['a byte order mark', `${ESC('feff')}a`],
    ['a line separator', `a${ESC('2028')}b`],
    ['a high surrogate alone', `a${ESC('d800')}`],
    ['a low surrogate alone', `${ESC('dc00')}a`],
    ['a noncharacter', `a${ESC('ffff')}`],
    ['a name of 256 bytes', 'é'.repeat(128)],
    ['a key of 1025 bytes', `${'d'.repeat(200)}/`.repeat(5) + 'x'.repeat(15)],
    ['a million characters', 'a/'.repeat(500_000)],
  ])('may not have %s', (_case, path) => {
    expect(documentKey('acme', path)).toEqual({
      outcome: 'refused',
      at: 'path',
      detail: expect.stringMatching(/^A document path .*\.$/),
    });
  });

  it('is checked the same way below every root', () => {
    expect(documentKey('a/b/c', '../a')).toMatchObject({ outcome: 'refused', at: 'path' });
  });

  it.each(['', '/', '..', 'acme/../other', 'a//b', 'a\\b', 'C:/a', 'a%2fb'])(
    'is not resolved below the invalid root %j, which the refusal names',
    (root) => {
      expect(documentKey(root, 'a.pdf')).toMatchObject({ outcome: 'refused', at: 'document_root' });
    },
  );

  const nasty = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '%',
    '2e',
    '2f',
    'a',
    ' ',
    'C:',
    ':',
    ESC('ff0e'),
    ESC('ff0f'),
    ESC('2024'),
    ESC('2025'),
    ESC('202e'),
    ESC('0'),
    ESC('d800'),
    ESC('2100'),
  );
  const paths = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(nasty, { maxLength: 12 }).map((it) => it.join('')),
  );

  it('stays below its root after any decoding, normalisation and resolution', () => {
    let resolved = 0;
    fc.assert(
      fc.property(paths, (path) => {
        const result = documentKey('acme', path);
        if (result.outcome === 'refused') return;
        resolved += 1;
        const { key } = result;
        expect(key).toBe(`acme/${path.replace(/^\//, '')}`);
        for (const form of [key, key.normalize('NFKC'), decoded(key), decoded(key).normalize('NFKC')])
          expect(new URL(form.replaceAll('#', '').replaceAll('?', ''), 'file:///store/').pathname).toMatch(
            /^\/store\/acme\/./,
          );
      }),
      { numRuns: 1_000 },
    );
    expect(resolved).toBeGreaterThan(30);
  });

  it('is not repeated in its refusal', () => {
    const result = documentKey('acme', '../letters/Jane Doe.pdf');
    expect(JSON.stringify(result)).not.toMatch(/Jane|letters/);
  });
});

function decoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
}
