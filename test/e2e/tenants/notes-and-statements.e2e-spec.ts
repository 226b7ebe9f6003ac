import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anyBackend, type OperatorClient, SharedPortage, signIn, until } from '@portage/testing';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');

const NOTES = '/v1/data-import/notes/create/';
const STATEMENTS = '/v1/data-import/historical-statements/create/';

interface Document {
  path: string;
  kind: string;
  state: string;
  size: number | null;
  media_type: string | null;
  sha256: string | null;
  error_code: string | null;
}

interface BoardQueue {
  name: string;
  jobs: DocumentJob[];
}

interface DocumentJob {
  failedReason?: string;
  data: { supplier: string; externalAccountNumber: string };
}

describe('notes and statements after the import', () => {
  const portage = SharedPortage.use(anyBackend());
  let operator: OperatorClient;

  beforeAll(async () => {
    operator = await signIn(portage, 'viewer');
    await portage.operator('supplier', 'set', portage.supplier, '--document-root', portage.supplier);
    for (const number of ['N-1', 'N-2', 'N-3']) await portage.schedule(portage.account(number));
    await portage.waitFor('PROCESSED', 3);
  });

  /** Writes a document to the supplier's folder of the document store. */
  function upload(path: string, content: Buffer): void {
    const file = join(portage.directory, 'documents', portage.supplier, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  async function showAccount(number: string) {
    const { body } = await portage.get(
      `/v1/data-import/account-transfer-status/${portage.supplier}/${number}/`,
    );
    return portage.operator('account', 'show', body.platform_account_number);
  }
  const documents = async (number: string): Promise<Document[]> => (await showAccount(number)).documents;

  async function waitForDocuments(number: string, states: Record<string, string>): Promise<void> {
    const readStates = async () =>
      Object.fromEntries((await documents(number)).map(({ path, state }) => [path, state]));
    await until(
      async () => JSON.stringify(await readStates()) === JSON.stringify(states),
      async () => JSON.stringify(await readStates()),
    );
  }

  async function failedJobs(): Promise<DocumentJob[]> {
    const path = '/queues/api/queues?activeQueue=documents&status=failed&page=1';
    const { queues } = (await portage.get(path, operator.headers)).body as { queues: BoardQueue[] };
    const { jobs } = queues.find(({ name }) => name === 'documents')!;
    return jobs.filter(({ data }) => data.supplier === portage.supplier);
  }

  it('adds notes, returns a status for each, and recognises repeated ones', async () => {
    upload('letters/1.pdf', PDF);
    const body = {
      ...portage.about('N-1'),
      notes: [
        { body: 'Prefers calls after 18:00.', is_pinned: true, unpin_at: '2027-01-01T00:00:00Z' },
        {
          created_at: '2024-04-11T13:05:00Z',
          document_paths: [{ document_path: '/letters/1.pdf' }],
          colour: 'red',
        },
      ],
    };
    const first = await portage.post(NOTES, body);
    expect([first.status, first.headers['ignored-fields']]).toEqual([201, 'notes.1.colour']);
    expect(first.body).toEqual([
      {
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        body: 'Prefers calls after 18:00.',
        status: 'NOTE_CREATION_SUCCESS',
      },
      { created_at: '2024-04-11T13:05:00Z', body: null, status: 'NOTE_CREATION_SUCCESS' },
    ]);
    const again = await portage.post(NOTES, body);
    expect([again.status, again.body]).toEqual([
      201,
      (first.body as object[]).map((one) => ({ ...one, status: 'NOTE_ALREADY_EXISTS' })),
    ]);

    await waitForDocuments('N-1', { 'letters/1.pdf': 'STORED' });
    const { notes, documents: stored } = await showAccount('N-1');
    expect(notes).toMatchObject([
      { body: 'Prefers calls after 18:00.', is_pinned: true, unpin_at: '2027-01-01 00:00:00+00' },
      { body: null, is_pinned: false, document_paths: ['letters/1.pdf'] },
    ]);
    expect(stored).toEqual([
      {
        path: 'letters/1.pdf',
        kind: 'note',
        state: 'STORED',
        size: PDF.length,
        media_type: 'application/pdf',
        sha256: createHash('sha256').update(PDF).digest('hex'),
        error_code: null,
        inspected_at: expect.any(String),
      },
    ]);
  });

  it('adds statements, answers with the validated body, and refuses changed ones', async () => {
    upload('2024/05.pdf', PDF);
    upload('2024/06.pdf', Buffer.from('not at all a PDF'));
    const statement = {
      statement_id: 'ST-05',
      bill_period_from_date: '2024-05-01',
      bill_period_to_date: '2024-05-31',
      issued_date: '2024-06-03',
      number: 'INV-05',
      gross_amount: 112.61,
      statement_path: '2024/05.pdf',
    };
    const body = {
      ...portage.about('N-2'),
      statements: [statement, { ...statement, statement_id: 'ST-06', statement_path: '2024/06.pdf' }],
    };
    const first = await portage.post(STATEMENTS, body);
    expect([first.status, first.body]).toEqual([201, body]);
    const again = await portage.post(STATEMENTS, {
      ...body,
      statements: [
        { ...statement, statement_id: 'ST-07' },
        { ...statement, number: 'INV-06' },
      ],
    });
    expect([again.status, again.body]).toEqual([
      400,
      {
        code: 'validation_error',
        detail: expect.any(String),
        errors: [
          {
            attr: 'statements.1.statement_id',
            code: 'historical_statement_already_exists',
            detail: expect.any(String),
          },
        ],
      },
    ]);
    await waitForDocuments('N-2', { '2024/05.pdf': 'STORED', '2024/06.pdf': 'REFUSED' });
    const { historical_statements, documents: stored } = await showAccount('N-2');
    expect(historical_statements).toMatchObject([
      { statement_id: 'ST-05', gross_amount: '112.61', statement_path: '2024/05.pdf' },
      { statement_id: 'ST-06' },
    ]);
    expect((stored as Document[]).map(({ error_code }) => error_code)).toEqual([
      null,
      'statement_is_not_a_pdf',
    ]);

    // The failed job has an error code and ids only.
    const failed = await failedJobs();
    expect(failed).toMatchObject([{ failedReason: 'statement_is_not_a_pdf' }]);
    expect(JSON.stringify(failed)).not.toMatch(/2024\/06/);

    upload('2024/06.pdf', PDF);
    expect(
      await portage.operator('document', 'retry', '--supplier', portage.supplier, '--state', 'REFUSED'),
    ).toEqual({ retried: 1, without_job: 0 });
    await waitForDocuments('N-2', { '2024/05.pdf': 'STORED', '2024/06.pdf': 'STORED' });
  });
});
