import fc from 'fast-check';
import { documentRootOf, isDocumentRoot } from './document-root';

describe('a document root', () => {
  it.each(['acme', 'acme/2026', 'ACME_Energy', 'a', 'acme energy/v1.2', "o'neill & co (uk)", 'T-1f/x=y'])(
    'may be %j',
    (root) => {
      expect(isDocumentRoot(root)).toBe(true);
    },
  );

  it.each([
    ['empty', ''],
    ['a slash', '/'],
    ['a slash at the beginning', '/acme'],
    ['a slash at the end', 'acme/'],
    ['an empty folder name', 'acme//2026'],
    ['a dot segment', './acme'],
    ['a dot segment inside', 'acme/./2026'],
    ['a parent segment', 'acme/../other'],
    ['a hidden folder', '.acme'],
    ['a dot at the end of a name', 'acme./x'],
    ['a space at the end of a name', 'acme /x'],
    ['a backslash', 'acme\\other'],
    ['an encoded slash', 'acme%2fother'],
    ['an encoded letter', '%61cme'],
    ['a drive letter', 'C:/acme'],
    ['a composed letter', 'caf\u00e9'],
    ['a decomposed letter', 'cafe\u0301'],
    ['a letter in full width', '\uff41cme'],
    ['a zero-width space', 'ac\u200bme'],
    ['a line break', 'acme\n'],
    ['NUL', 'acme\u0000'],
    ['513 characters', 'x'.repeat(513)],
  ])('is not canonical with %s', (_what, root) => {
    expect(isDocumentRoot(root)).toBe(false);
  });

  it.each([
    ['LEGACY', 'LEGACY'],
    ['T-1f2e', 'T-1f2e'],
    ['acme energy/v1.2', 'acme energy/v1.2'],
    ['--acme--', 'acme'],
    ['Müller & Söhne', 'M-ller-S-hne'],
    ['..', 'supplier'],
  ])('made from the supplier code %j is %j', (code, root) => {
    expect(documentRootOf(code)).toBe(root);
  });

  it('made from any supplier code is canonical', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 128 }), (code) =>
        isDocumentRoot(documentRootOf(code)),
      ),
    );
  });
});
