import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Supplier {
  id: number;
  organisationId: number;
  code: string;
  root: string;
}

/** The check constraint below, as a pattern of JavaScript. */
const CANONICAL_ROOT =
  /^[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&'-]*[A-Za-z0-9_,=+@()&'-])?(\/[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&'-]*[A-Za-z0-9_,=+@()&'-])?)*$/;
const MAX_ROOT_LENGTH = 512;

/**
 * A document root of its own for each supplier: required, canonical, unique, and never equal to, above or below a root
 * of another organisation. A supplier whose root breaks this gets one made from its code; its former root is stored,
 * because its documents have to be moved.
 */
export class DocumentRoots1795392000000 implements MigrationInterface {
  readonly name = 'DocumentRoots1795392000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE import_supplier ADD previous_document_root text;
      -- A slash at either end never had a meaning.
      UPDATE import_supplier SET document_root = regexp_replace(document_root, '^/|/$', '', 'g')
      WHERE document_root ~ '^/|/$';
    `);
    const suppliers = (await runner.query(
      `SELECT id, organisation_id AS "organisationId", code, document_root AS root FROM import_supplier ORDER BY id`,
    )) as Supplier[];
    for (const { id, root } of separateRoots(suppliers))
      await runner.query(
        'UPDATE import_supplier SET previous_document_root = document_root, document_root = $2 WHERE id = $1',
        [id, root],
      );
    await runner.query(`
      ALTER TABLE import_supplier ADD CONSTRAINT import_supplier_document_root_check CHECK (
        length(document_root) <= 512 AND document_root ~
        '^[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&''-]*[A-Za-z0-9_,=+@()&''-])?(/[A-Za-z0-9_]([A-Za-z0-9 _.,=+@()&''-]*[A-Za-z0-9_,=+@()&''-])?)*$');
      -- Two spellings of a folder are one folder on a file system that ignores case.
      CREATE UNIQUE INDEX import_supplier_document_root ON import_supplier (lower(document_root COLLATE "C"));

      CREATE FUNCTION refuse_document_root_overlap() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- One change at a time, so that two concurrent ones cannot both miss the other. The number has no meaning.
        PERFORM pg_advisory_xact_lock(1229933421);
        IF EXISTS (
          SELECT FROM import_supplier other
          WHERE other.organisation_id <> NEW.organisation_id AND (
            starts_with(lower(other.document_root COLLATE "C") || '/', lower(NEW.document_root COLLATE "C") || '/')
            OR starts_with(lower(NEW.document_root COLLATE "C") || '/', lower(other.document_root COLLATE "C") || '/'))
        ) THEN
          RAISE EXCEPTION 'The document root is inside, above or equal to that of another organisation.'
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'import_supplier_document_root';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER import_supplier_document_root_apart
        AFTER INSERT OR UPDATE OF document_root, organisation_id ON import_supplier
        FOR EACH ROW EXECUTE FUNCTION refuse_document_root_overlap();

      -- Finds other accounts that name a document, in any spelling that a file system may treat as the same name.
      DROP INDEX document_place;
      CREATE INDEX document_place ON document USING hash (lower(normalize(path, NFKC)));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX document_place;
      CREATE INDEX document_place ON document USING hash (path);
      DROP TRIGGER import_supplier_document_root_apart ON import_supplier;
      DROP FUNCTION refuse_document_root_overlap();
      DROP INDEX import_supplier_document_root;
      ALTER TABLE import_supplier DROP CONSTRAINT import_supplier_document_root_check;
      UPDATE import_supplier SET document_root = previous_document_root WHERE previous_document_root IS NOT NULL;
      ALTER TABLE import_supplier DROP previous_document_root;
    `);
  }
}

/**
 * The suppliers that need another root, with that root. All suppliers of a conflict between organisations are moved:
 * their documents are mixed, and only the operator can tell whose they are. Of several suppliers of one organisation
 * with the same root, the oldest retains it.
 */
function separateRoots(suppliers: readonly Supplier[]): { id: number; root: string }[] {
  const isCanonical = ({ root }: Supplier) => CANONICAL_ROOT.test(root) && root.length <= MAX_ROOT_LENGTH;
  const canonical = suppliers.filter(isCanonical);
  const retained = canonical.filter((supplier) =>
    canonical.every(
      (other) =>
        other === supplier ||
        (other.organisationId === supplier.organisationId
          ? other.root.toLowerCase() !== supplier.root.toLowerCase() || other.id > supplier.id
          : !overlaps(other.root, supplier.root)),
    ),
  );
  // Former roots are avoided as well: their documents are still there.
  const taken = canonical.map(({ root }) => root);
  return suppliers
    .filter((supplier) => !retained.includes(supplier))
    .map(({ id, code }) => {
      const root = freeRoot(code, taken);
      taken.push(root);
      return { id, root };
    });
}

function overlaps(one: string, other: string): boolean {
  const [left, right] = [`${one.toLowerCase()}/`, `${other.toLowerCase()}/`];
  return left.startsWith(right) || right.startsWith(left);
}

/** The code, or if it is no canonical root, its letters and digits with a hash. A number makes it differ from others. */
function freeRoot(code: string, taken: readonly string[]): string {
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 8);
  const plain = code.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  const base = CANONICAL_ROOT.test(code) ? code : `${plain === '' ? 'supplier' : plain}-${hash}`;
  for (let number = 1; ; number += 1) {
    const root = number === 1 ? base : `${base}-${number}`;
    if (!taken.some((other) => overlaps(other, root))) return root;
  }
}
