import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  CONFIG,
  type Config,
  createDocumentStore,
  DOCUMENT_STORE,
  documentKey,
  type DocumentStore,
  DocumentStoreUnavailable,
} from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { StoredProcesses, useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { DocumentRepository } from './document.repository';
import { AddHistoricalStatements } from '../statements/add-historical-statements';
import { AddNotes } from '../notes/add-notes';
import { InspectDocument } from './inspect-document';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000149444154', 'hex');

const test = useApplication('postgres', { MAX_DOCUMENT_BYTES: '1000' }, WITHOUT_CACHES);
const stored = new StoredProcesses(test);
let number: string;

beforeAll(async () => {
  await test.app.get(ImportSuppliers).set('LEGACY', { documentRoot: 'acme/2026' });
});
beforeEach(async () => {
  ({ number } = await stored.inState('PROCESSED'));
});

async function put(path: string, content: Buffer): Promise<void> {
  const place = documentKey('acme/2026', path);
  if (place.outcome === 'refused') throw new Error(place.detail);
  await test.app.get<DocumentStore>(DOCUMENT_STORE).put(place.key, content);
}

interface Row {
  id: string;
  state: string;
  size: string | null;
  media_type: string | null;
  sha256: Buffer | null;
  error_code: string | null;
  inspected_at: string | null;
}

async function documents(): Promise<Row[]> {
  return stored.sql<Row>(
    `SELECT document.* FROM document JOIN account ON account.id = account_id
     WHERE external_account_number = $1 ORDER BY document.id`,
    [number],
  );
}

const about = () => ({ import_supplier: 'LEGACY', external_account_number: number });
const postNote = async (path: string) =>
  test.app.get(AddNotes).add({
    ...test.caller,
    body: {
      ...about(),
      notes: [{ body: `See ${Math.random()}`, document_paths: [{ document_path: path }] }],
    },
  });
const postStatement = async (path: string) =>
  test.app.get(AddHistoricalStatements).add({
    ...test.caller,
    body: {
      ...about(),
      statements: [
        {
          statement_id: 'ST-1',
          bill_period_from_date: '2024-05-01',
          bill_period_to_date: '2024-05-31',
          statement_path: path,
        },
      ],
    },
  });

const inspect = async (isLastAttempt = false) => {
  const [document] = await documents();
  return test.app.get(InspectDocument).run(document!.id, isLastAttempt);
};

describe('the inspection of a document', () => {
  it('records size, SHA-256 and the media type by content', async () => {
    await postNote('/letters/scan.pdf');
    await put('letters/scan.pdf', PNG);
    expect(await inspect()).toEqual({ kind: 'stored' });
    expect(await documents()).toMatchObject([
      {
        state: 'STORED',
        size: String(PNG.length),
        media_type: 'image/png',
        sha256: createHash('sha256').update(PNG).digest(),
        error_code: null,
        inspected_at: expect.any(String),
      },
    ]);
  });

  it('accepts a PDF for a statement', async () => {
    await postStatement('a.pdf');
    await put('a.pdf', PDF);
    expect(await inspect()).toEqual({ kind: 'stored' });
    expect(await documents()).toMatchObject([{ state: 'STORED', media_type: 'application/pdf' }]);
  });

  it.each([
    ['a statement that is no PDF', postStatement, PNG, 'statement_is_not_a_pdf'],
    ['a statement whose PDF was cut off', postStatement, PDF.subarray(0, 20), 'statement_is_not_a_pdf'],
    ['a statement that is empty', postStatement, Buffer.alloc(0), 'statement_is_not_a_pdf'],
    ['a document that is too large', postNote, Buffer.alloc(1_001), 'document_too_large'],
  ])('refuses %s at the first attempt', async (_what, post, content, code) => {
    await post('refused.pdf');
    await put('refused.pdf', content);
    expect(await inspect()).toEqual({ kind: 'refused', code });
    expect(await documents()).toMatchObject([
      { state: 'REFUSED', error_code: code, size: null, media_type: null, sha256: null },
    ]);
  });

  it('records an absent document as missing at the last attempt only', async () => {
    await postNote('late.pdf');
    expect(await inspect()).toEqual({ kind: 'awaited' });
    expect(await documents()).toMatchObject([{ state: 'PENDING', inspected_at: null }]);
    expect(await inspect(true)).toEqual({ kind: 'missing', code: 'path_does_not_exist_in_file_store' });
    expect(await documents()).toMatchObject([
      { state: 'MISSING', error_code: 'path_does_not_exist_in_file_store' },
    ]);
  });

  it('changes nothing when it is repeated', async () => {
    await postNote('twice.pdf');
    await put('twice.pdf', PDF);
    await inspect();
    const first = await documents();
    await put('twice.pdf', PNG);
    expect(await inspect(true)).toEqual({ kind: 'outdated' });
    expect(await documents()).toEqual(first);
  });

  it('records one finding when it runs twice concurrently', async () => {
    await postNote('both.pdf');
    await put('both.pdf', PDF);
    await Promise.all([inspect(), inspect(), inspect(true)]);
    expect(await documents()).toMatchObject([{ state: 'STORED', size: String(PDF.length) }]);
  });

  it('leaves the document pending while the store is unavailable, also at the last attempt', async () => {
    await postNote('away.pdf');
    const config = test.app.get<Config>(CONFIG);
    const away = createDocumentStore({
      ...config,
      // The folder does not exist, as if its volume were not mounted.
      DOCUMENT_STORE_URL: { kind: 'folder', directory: join(config.PORTAGE_DIR, 'unmounted') },
    });
    const inspection = new InspectDocument(test.app.get(DocumentRepository), away, config);
    const [document] = await documents();
    await expect(inspection.run(document!.id, true)).rejects.toBeInstanceOf(DocumentStoreUnavailable);
    expect(await documents()).toMatchObject([{ state: 'PENDING', error_code: null }]);
  });

  it('starts again when a later request names a missing or refused document, but not a stored one', async () => {
    await postNote('again.pdf');
    await inspect(true);
    await postNote('/again.pdf');
    expect(await documents()).toMatchObject([{ state: 'PENDING', error_code: null, inspected_at: null }]);
    await put('again.pdf', PDF);
    await inspect();
    await postNote('again.pdf');
    expect(await documents()).toMatchObject([{ state: 'STORED' }]);
  });
});
