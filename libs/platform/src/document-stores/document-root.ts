/** A folder name that all document stores write alike: ASCII, so that it has one Unicode form, and no dot at its end. */
const FOLDER = /^[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&'-]*[A-Za-z0-9_,=+@()&'-])?$/;

const MAX_ROOT_LENGTH = 512;

/**
 * True for a canonical document root: folder names separated by `/`, in the only spelling that names the folder. Empty
 * and dot segments, a `/` at either end, percent signs, backslashes and letters beyond ASCII are not canonical. The
 * database has the same check.
 */
export function isDocumentRoot(root: string): boolean {
  return root.length <= MAX_ROOT_LENGTH && root.split('/').every((folder) => FOLDER.test(folder));
}

/** Makes a document root from a supplier code: the code, if it is canonical, without its other characters if not. */
export function documentRootOf(supplierCode: string): string {
  if (isDocumentRoot(supplierCode)) return supplierCode;
  const plain = supplierCode.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'supplier' : plain;
}
