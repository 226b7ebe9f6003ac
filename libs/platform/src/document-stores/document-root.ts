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

/**
 * True if a document may have a key below both roots: they are equal, or one is inside the other. Case is ignored, as
 * by many file systems.
 */
export function documentRootsOverlap(one: string, other: string): boolean {
  const [left, right] = [foldRoot(one), foldRoot(other)];
  return left.startsWith(right) || right.startsWith(left);
}

/** The empty root, which existed once, contains all others. */
function foldRoot(root: string): string {
  return root === '' ? '' : `${root.toLowerCase()}/`;
}

/** A supplier's document root, and its root before the migration that separated the roots. */
export interface SupplierRoot {
  code: string;
  organisationId: number;
  documentRoot: string;
  /** Null if the migration did not change the root, or the operator has set it since. */
  previousDocumentRoot: string | null;
}

/**
 * Finds the suppliers whose roots were in conflict with the previous root of a supplier: equal to it, or for another
 * organisation inside or above it. Roots that were not canonical, such as the empty one, are in conflict with none.
 *
 * @returns their codes
 */
export function findRootConflicts(
  { code, organisationId, previousDocumentRoot: previous }: SupplierRoot,
  suppliers: readonly SupplierRoot[],
): string[] {
  if (previous === null || !isDocumentRoot(previous)) return [];
  return suppliers
    .filter((other) => {
      const root = other.previousDocumentRoot ?? other.documentRoot;
      if (other.code === code || !isDocumentRoot(root)) return false;
      return other.organisationId === organisationId
        ? root.toLowerCase() === previous.toLowerCase()
        : documentRootsOverlap(root, previous);
    })
    .map((other) => other.code);
}
