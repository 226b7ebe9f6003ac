import { DocumentStoreUnavailable } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { refusedWith, StoredProcesses, useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { AddNotes } from './add-notes';

const test = useApplication('postgres', {}, WITHOUT_CACHES);
const stored = new StoredProcesses(test);
let number: string;

beforeEach(async () => {
  ({ number } = await stored.inState('PROCESSED'));
});

const body = (...notes: object[]) => ({
  import_supplier: 'LEGACY',
  external_account_number: number,
  notes,
});
const add = async (sent: Record<string, unknown>, key?: string) =>
  (await test.app.get(AddNotes).add({ ...test.caller, body: sent, key })).answer;
const statusesOf = async (...notes: object[]) => (await add(body(...notes))).map(({ status }) => status);

const notes = async () =>
  stored.sql<Record<string, unknown>>(
    `SELECT note.* FROM note JOIN account ON account.id = account_id
     WHERE external_account_number = $1 ORDER BY note.id`,
    [number],
  );

const [NEW, OLD] = ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'];
const MAY = '2024-05-01T09:00:00Z';

describe('a note of an imported account', () => {
  it('is stored with all fields', async () => {
    const sent = {
      body: 'Rang about the meter.',
      created_at: MAY,
      external_id: 'note-7',
      is_pinned: true,
      unpin_at: '2027-01-01T00:00:00Z',
      is_archived: true,
      document_paths: [{ document_path: '/letters/1.pdf' }, { document_path: 'letters/2.pdf' }],
    };
    expect(await add(body(sent))).toEqual([{ created_at: MAY, body: sent.body, status: NEW }]);
    expect(await notes()).toEqual([
      expect.objectContaining({
        body: sent.body,
        created_at: '2024-05-01 09:00:00+00',
        external_id: 'note-7',
        is_pinned: true,
        unpin_at: '2027-01-01 00:00:00+00',
        is_archived: true,
        document_paths: ['letters/1.pdf', 'letters/2.pdf'],
      }),
    ]);
  });

  it('has the current time, is not pinned and has the body null by default', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    const [answered] = await add(body({ document_paths: [{ document_path: 'a.pdf' }] }));
    expect(answered).toEqual({
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      body: null,
      status: NEW,
    });
    expect(Date.parse(answered!.created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(answered!.created_at)).toBeLessThanOrEqual(Date.now());
    const [note] = await notes();
    expect(note).toMatchObject({ body: null, is_pinned: false, is_archived: false, unpin_at: null });
    expect(String(note!['created_at']).replace(' ', 'T').replace('+00', 'Z')).toBe(answered!.created_at);
  });

  it('exists already if a note has the same body and, if it is sent, the same time; the answer has the stored time', async () => {
    await add(body({ body: 'Rang', created_at: MAY }));
    expect(await add(body({ body: 'Rang' }))).toEqual([{ created_at: MAY, body: 'Rang', status: OLD }]);
    expect(await statusesOf({ body: 'Rang', created_at: MAY })).toEqual([OLD]);
    expect(await statusesOf({ body: 'Rang', created_at: '2024-05-01T09:00:01Z' })).toEqual([NEW]);
    expect(await statusesOf({ body: 'rang' })).toEqual([NEW]);
    expect(await notes()).toHaveLength(3);
  });

  it('is recognised when it is repeated with the time of the answer', async () => {
    const [first] = await add(body({ body: 'Rang' }));
    expect(await statusesOf({ body: 'Rang', created_at: first!.created_at })).toEqual([OLD]);
  });

  it('exists already without a body if a note has the same documents, in any notation', async () => {
    const documents = (...paths: string[]) => ({
      document_paths: paths.map((path) => ({ document_path: path })),
    });
    expect(await statusesOf(documents('a.pdf', 'b.pdf'))).toEqual([NEW]);
    expect(await statusesOf(documents('/b.pdf', 'a.pdf'), documents('a.pdf'))).toEqual([OLD, NEW]);
  });

  it('is added once if a request has it twice', async () => {
    expect(await statusesOf({ body: 'A' }, { body: 'B' }, { body: 'A' })).toEqual([NEW, NEW, OLD]);
    expect((await notes()).map((note) => note['body'])).toEqual(['A', 'B']);
  });

  it('can be equal to a note of another account', async () => {
    await add(body({ body: 'Rang' }));
    ({ number } = await stored.inState('PROCESSED'));
    expect(await statusesOf({ body: 'Rang' })).toEqual([NEW]);
  });

  it('is added once by concurrent requests', async () => {
    const sent = body(
      { body: 'A' },
      { body: 'B', created_at: MAY },
      { document_paths: [{ document_path: 'c' }] },
    );
    const answers = await Promise.all(Array.from({ length: 20 }, async () => add(sent)));
    expect(await notes()).toHaveLength(3);
    const all = answers.map((answer) => answer.map(({ status }) => status));
    expect(all.filter(([first]) => first === NEW)).toEqual([[NEW, NEW, NEW]]);
    expect(all.filter(([first]) => first === OLD)).toHaveLength(19);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.map((one) => one.created_at)))).size).toBe(
      1,
    );
    const documents = 'document JOIN account ON account.id = account_id WHERE external_account_number = $1';
    expect(await test.countRows(documents, [number])).toBe(1);
  });

  it('is added once in a request with as many notes as it may have', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ body: `Note ${i}` }));
    expect(new Set(await statusesOf(...many))).toEqual(new Set([NEW]));
    expect(new Set(await statusesOf(...many.reverse()))).toEqual(new Set([OLD]));
  });
});

describe('a request with notes', () => {
  it('adds none if one note is not valid', async () => {
    const refused = add(body({ body: 'Good' }, { created_at: MAY }));
    expect(await refusedWith(refused)).toEqual(['notes.1.body note_body_or_document_path_not_found']);
    expect(await notes()).toEqual([]);
  });

  it.each([
    [{ created_at: MAY }, 'notes.0.body note_body_or_document_path_not_found'],
    [{ body: ' ', document_paths: [] }, 'notes.0.body note_body_or_document_path_not_found'],
    [{ body: 'A', document_paths: [{}] }, 'notes.0.document_paths.0.document_path required'],
    [{ body: 'A', created_at: '2024-05-32' }, 'notes.0.created_at invalid'],
    [
      { body: 'A', created_at: MAY, unpin_at: '2024-04-30T00:00:00Z' },
      'notes.0.unpin_at note_unpin_at_earlier_than_creation_date',
    ],
    [{ document_paths: [{ document_path: '../a.pdf' }] }, 'notes.0.document_paths.0.document_path invalid'],
    [{ document_paths: [{ document_path: 'a\\b.pdf' }] }, 'notes.0.document_paths.0.document_path invalid'],
  ])('%j is refused: %s', async (note, error) => {
    expect(await refusedWith(add(body(note)))).toEqual([error]);
    expect(await notes()).toEqual([]);
  });

  it.each(['PENDING', 'DRY_RUN_SUCCEEDED', 'ERRORED'] as const)(
    'finds no account while the process is %s: it is staged, not imported',
    async (status) => {
      ({ number } = await stored.inState(status));
      expect(await refusedWith(add(body({ body: 'A' })))).toBe('account_not_found');
    },
  );

  it('is refused while the supplier is paused', async () => {
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Paused');
    expect(await refusedWith(add(body({ body: 'A' })))).toBe('import_supplier_migration_not_ongoing');
    await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
  });
});

describe('a request with an Idempotency-Key', () => {
  it('gets the stored answer when it is repeated, and adds nothing', async () => {
    const first = await add(body({ body: 'A' }), 'key-1');
    expect(first).toMatchObject([{ status: NEW }]);
    expect(await add(body({ body: 'A' }), 'key-1')).toEqual(first);
    expect(await notes()).toHaveLength(1);
  });

  it('is refused if the key was used with another body', async () => {
    await add(body({ body: 'A' }), 'key-2');
    expect(await refusedWith(add(body({ body: 'B' }), 'key-2'))).toBe('idempotency_key_reused');
    expect(await notes()).toHaveLength(1);
  });
});

describe('an unavailable document store', () => {
  const unavailable = useApplication(
    'postgres',
    { DOCUMENT_STORE_URL: 'file:///nowhere/at/all' },
    WITHOUT_CACHES,
  );

  it('fails a request with documents to verify, which adds nothing', async () => {
    await unavailable.app.get(ImportSuppliers).set('LEGACY', { verifyDocuments: true });
    ({ number } = await new StoredProcesses(unavailable).inState('PROCESSED'));
    const sent = body({ document_paths: [{ document_path: 'a.pdf' }] });
    await expect(
      unavailable.app.get(AddNotes).add({ ...unavailable.caller, body: sent }),
    ).rejects.toBeInstanceOf(DocumentStoreUnavailable);
    expect(await unavailable.countRows('note')).toBe(0);
  });
});
