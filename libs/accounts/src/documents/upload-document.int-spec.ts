import { createHash } from 'node:crypto';
import { DOCUMENT_STORE, documentKey, type DocumentStore } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { StoredProcesses, useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { UploadDocument } from './upload-document';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');
const OTHER_PDF = Buffer.from('%PDF-1.4\nanother\n%%EOF\n');

const test = useApplication('postgres', { MAX_DOCUMENT_BYTES: '1000' }, WITHOUT_CACHES);
const stored = new StoredProcesses(test);

beforeAll(async () => {
  await test.app.get(ImportSuppliers).set('LEGACY', { documentRoot: 'acme/2026' });
});
beforeEach(async () => {
  await stored.sql('TRUNCATE document');
});

async function* chunksOf(...chunks: Buffer[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

const upload = async (path: string, ...chunks: Buffer[]) =>
  test.app.get(UploadDocument).upload(test.caller, 'LEGACY', {
    path,
    content: chunksOf(...chunks),
    announcedSize: undefined,
    sha256: undefined,
  });

/** Adds a document to an account of its own. */
async function named(path: string, state: string): Promise<void> {
  const { number } = await stored.inState('PROCESSED');
  await stored.sql(
    `INSERT INTO document (account_id, path, kind, state, error_code, unsettled_supplier_id)
     SELECT id, $2, 'statement', $3::text, CASE WHEN $3 <> 'PENDING' THEN 'a_code' END,
       CASE WHEN $3 <> 'PENDING' THEN supplier_id END
     FROM account WHERE external_account_number = $1`,
    [number, path, state],
  );
}

const rows = async (path: string) =>
  stored.sql<{ state: string; size: string; sha256: Buffer; error_code: null; unsettled_supplier_id: null }>(
    'SELECT state, size, sha256, error_code, unsettled_supplier_id FROM document WHERE path = $1 ORDER BY id',
    [path],
  );

async function exists(path: string): Promise<boolean> {
  const place = documentKey('acme/2026', path);
  if (place.outcome === 'refused') throw new Error(place.detail);
  return (await test.app.get<DocumentStore>(DOCUMENT_STORE).head(place.key)) !== undefined;
}

describe('an upload of a document', () => {
  it('settles the documents of its path, whatever their state, and no others', async () => {
    for (const state of ['MISSING', 'REFUSED', 'PENDING']) await named('a.pdf', state);
    await named('A.pdf', 'MISSING');
    expect(await upload('/a.pdf', PDF)).toMatchObject({ document_path: 'a.pdf', outcome: 'CREATED' });
    const settled = {
      state: 'STORED',
      size: String(PDF.length),
      sha256: createHash('sha256').update(PDF).digest(),
      error_code: null,
      unsettled_supplier_id: null,
    };
    expect(await rows('a.pdf')).toEqual([settled, settled, settled]);
    expect(await rows('A.pdf')).toMatchObject([{ state: 'MISSING' }]);
  });

  it('settles documents also if it was there with the same content', async () => {
    await upload('b.pdf', PDF);
    await named('b.pdf', 'MISSING');
    expect(await upload('b.pdf', PDF)).toMatchObject({ outcome: 'EXISTING' });
    expect(await rows('b.pdf')).toMatchObject([{ state: 'STORED' }]);
  });

  it('does not replace content that an account has recorded, also if two uploads meet', async () => {
    await named('c.pdf', 'PENDING');
    const outcomes = await Promise.allSettled([upload('c.pdf', PDF), upload('c.pdf', OTHER_PDF)]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'document_already_used' } }]);
    expect(await rows('c.pdf')).toMatchObject([{ state: 'STORED' }]);
  });

  it('a document that is too large is refused while it arrives, and nothing is stored', async () => {
    await expect(upload('d.pdf', PDF, Buffer.alloc(1_000), PDF)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(await exists('d.pdf')).toBe(false);
  });

  it('is refused for a supplier of another organisation as for an unknown one', async () => {
    const foreign = test.app.get(UploadDocument).upload({ organisationId: 999_999 }, 'LEGACY', {
      path: 'e.pdf',
      content: chunksOf(PDF),
      announcedSize: undefined,
      sha256: undefined,
    });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    expect(await exists('e.pdf')).toBe(false);
  });
});
