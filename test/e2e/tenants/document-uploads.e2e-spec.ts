import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyBackend, type Answer, SharedPortage } from '@portage/testing';
import { sendRaw } from '@portage/testing/raw-http';

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n${text}\ntrailer\nstartxref\n0\n%%EOF\n`);
const sha256 = (content: Buffer) => createHash('sha256').update(content);
const digestOf = (content: Buffer) => `sha-256=:${sha256(content).digest('base64')}:`;

const STATEMENTS = '/v1/data-import/historical-statements/create/';

describe('uploads of documents', () => {
  const portage = SharedPortage.use(anyBackend());

  beforeAll(async () => {
    await portage.schedule(portage.account('U-1'));
    await portage.waitFor('PROCESSED', 1);
  });

  const address = (path: string, supplier = portage.supplier) =>
    `/v2/data-import/documents/${supplier}/${path}`;
  const fileOf = (...path: string[]) => join(portage.directory, 'documents', portage.supplier, ...path);
  const drafts = () => {
    const folder = join(portage.directory, 'documents', '.uploads');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  async function upload(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    return portage.send('PUT', address(path), {
      body,
      headers: { 'content-type': 'application/pdf', ...headers },
    });
  }

  async function postStatement(path: string): Promise<Answer> {
    return portage.post(STATEMENTS, {
      ...portage.about('U-1'),
      statements: [
        {
          statement_id: path,
          bill_period_from_date: '2024-05-01',
          bill_period_to_date: '2024-05-31',
          statement_path: path,
        },
      ],
    });
  }

  /** The documents of the list that are not stored, by path. */
  async function listed(): Promise<Record<string, string>> {
    const { body } = await portage.get(`/v2/data-import/documents/${portage.supplier}/`);
    return Object.fromEntries(
      (body as { document_path: string; state: string }[]).map(({ document_path: path, state }) => [
        path,
        state,
      ]),
    );
  }

  it('a PDF is stored below the root of its supplier, once, and may be sent again', async () => {
    const content = pdf('first');
    const first = await upload('2024/05 Zoë.pdf'.replace(' ', '%20').replace('ë', '%C3%AB'), content, {
      'content-digest': digestOf(content),
    });
    expect([first.status, first.body]).toEqual([
      201,
      {
        document_path: '2024/05 Zoë.pdf',
        size: content.length,
        sha256: sha256(content).digest('hex'),
        outcome: 'CREATED',
      },
    ]);
    expect(readFileSync(fileOf('2024', '05 Zoë.pdf'))).toEqual(content);
    const again = await upload('2024%2F05%20Zo%C3%AB.pdf/', content);
    expect([again.status, again.body.outcome]).toEqual([200, 'EXISTING']);
    const replaced = await upload('2024/05%20Zo%C3%AB.pdf', pdf('second'));
    expect([replaced.status, replaced.body.outcome]).toEqual([200, 'REPLACED']);
    expect(drafts()).toEqual([]);
  });

  it('a statement has its document once it is uploaded, and the document is then not replaced', async () => {
    expect((await postStatement('late.pdf')).status).toBe(201);
    expect(await listed()).toEqual({ 'late.pdf': 'PENDING' });
    expect((await upload('late.pdf', pdf('late'))).status).toBe(201);
    expect(await listed()).toEqual({});
    const refused = await upload('late.pdf', pdf('another'));
    expect([refused.status, refused.body.code]).toEqual([409, 'document_already_used']);
    expect(readFileSync(fileOf('late.pdf'))).toEqual(pdf('late'));
    expect((await upload('late.pdf', pdf('late'))).body.outcome).toBe('EXISTING');
  });

  it.each<[string, Buffer, Record<string, string>, number, string]>([
    ['of another digest', pdf('x'), { 'content-digest': digestOf(pdf('y')) }, 400, 'content_digest_mismatch'],
    ['with a digest that is not read', pdf('x'), { 'content-digest': 'md5=:AA==:' }, 400, 'validation_error'],
    ['that is no PDF', Buffer.from('PK\x03\x04 something else'), {}, 415, 'document_is_not_a_pdf'],
    ['that is cut off', pdf('x').subarray(0, 20), {}, 415, 'document_is_not_a_pdf'],
    ['of another media type', pdf('x'), { 'content-type': 'image/png' }, 415, 'unsupported_media_type'],
    ['that is compressed', pdf('x'), { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['without content', Buffer.alloc(0), {}, 400, 'parse_error'],
  ])('a document %s is refused, and nothing is stored', async (_name, body, headers, status, code) => {
    const answer = await upload('refused.pdf', body, headers);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(existsSync(fileOf('refused.pdf'))).toBe(false);
    expect(drafts()).toEqual([]);
  });

  it('a document that is too large is refused before it is read', async () => {
    const { text } = await sendRaw(portage.baseUrl, [
      `PUT ${address('large.pdf')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Token ${portage.token}\r\nContent-Type: application/pdf\r\nContent-Length: 104857601\r\n\r\n`,
      '%PDF-1.4',
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('payload_too_large');
  });

  it.each([
    '../OTHER/a.pdf',
    'a/../../OTHER/a.pdf',
    './a.pdf',
    '..%2FOTHER%2Fa.pdf',
    '%2e%2e/OTHER/a.pdf',
    '%252e%252e%252fa.pdf',
    'a%00.pdf',
    'a%5Cb.pdf',
    'C:%5Ca.pdf',
    'c:a.pdf',
    '%EF%BC%8E%EF%BC%8E/a.pdf',
    'a%E2%80%8Bb.pdf',
    'a%EF%BC%8Fb.pdf',
    'n'.repeat(256),
  ])('the path %s is refused', async (path) => {
    const content = pdf('traversal');
    const { text, statuses } = await sendRaw(portage.baseUrl, [
      `PUT ${address(path)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Token ${portage.token}\r\nContent-Type: application/pdf\r\nContent-Length: ${content.length}\r\n\r\n`,
      content,
    ]);
    expect(statuses).toEqual([400]);
    expect(text).toMatch(/"code":"validation_error".*"attr":"path"/);
  });

  it('a folder is not replaced by a document', async () => {
    expect((await upload('folder/a.pdf', pdf('a'))).status).toBe(201);
    for (const path of ['folder', 'folder/a.pdf/b.pdf']) {
      const answer = await upload(path, pdf('b'));
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
    }
  });
});
