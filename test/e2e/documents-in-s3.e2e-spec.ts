import { createDocumentStore, documentKey, loadConfig } from '@portage/platform';
import { account, Installation, signIn, until } from '@portage/testing';
import { BUCKET, CREDENTIALS, type S3Server, startS3Server } from '../../libs/platform/test/stores';

const NOTES = '/v1/data-import/notes/create/';
const about = { import_supplier: 'LEGACY', external_account_number: 'N-1' };

describe('documents in an S3-compatible store', () => {
  let server: S3Server;
  let portage: Installation;
  let url: string;

  beforeAll(async () => {
    Object.assign(process.env, CREDENTIALS);
    server = await startS3Server();
    url = `s3://${BUCKET}?endpoint=${server.endpoint}&forcePathStyle=true`;
    const env = { ...CREDENTIALS, DOCUMENT_STORE_URL: url };
    portage = await Installation.start({ backend: 'postgres', env });
    await portage.operator('supplier', 'set', 'LEGACY', '--document-root', 'acme/2026');
    await portage.schedule(account('N-1'));
    await portage.waitFor('PROCESSED', 1);
  });
  afterAll(async () => {
    await portage.stop();
    // The last test stops the server, unless it fails before.
    await server.stop().catch(() => undefined);
  });

  async function upload(path: string, content: Buffer): Promise<void> {
    const resolved = documentKey('acme/2026', path);
    if (resolved.outcome === 'refused') throw new Error(resolved.detail);
    const config = loadConfig('cli', { DATABASE_URL: portage.databaseUrl, DOCUMENT_STORE_URL: url });
    await createDocumentStore(config).put(resolved.key, content);
  }
  const documents = async () =>
    portage.sql<{ path: string; state: string; media_type: string | null }>(
      'SELECT path, state, media_type FROM document ORDER BY id',
    );
  const note = (path: string) => ({ ...about, notes: [{ document_paths: [{ document_path: path }] }] });

  it('are inspected below the root of their supplier, also if they are uploaded after the note', async () => {
    await upload('there.pdf', Buffer.from('%PDF-1.4\n%%EOF'));
    expect((await portage.post(NOTES, note('there.pdf'))).status).toBe(201);
    expect((await portage.post(NOTES, note('late.pdf'))).status).toBe(201);
    await until(
      async () => (await documents())[0]?.state === 'STORED',
      async () => JSON.stringify(await documents()),
    );
    // The job is delayed after its first attempt has not found the document.
    await until(
      async () =>
        /portage_queue_jobs\{queue="documents",state="delayed"\} 1/.test(
          (await portage.get('/metrics')).text,
        ),
      async () => (await portage.get('/metrics')).text,
    );
    await upload('late.pdf', Buffer.from('%PDF-1.4\n%%EOF'));
    // The pause of minutes ends now.
    const { headers } = await signIn(portage, 'operator');
    const promoted = await portage.send('PUT', '/queues/api/queues/documents/promote', { headers });
    expect(promoted.status).toBe(200);
    const stored = { state: 'STORED', media_type: 'application/pdf' };
    await until(
      async () => (await documents()).every(({ state }) => state === 'STORED'),
      async () => JSON.stringify(await documents()),
      60_000,
    );
    expect(await documents()).toEqual([
      { path: 'there.pdf', ...stored },
      { path: 'late.pdf', ...stored },
    ]);
  });

  it('that must be verified are answered with 503 while the store is unavailable, and nothing is stored', async () => {
    await portage.operator('supplier', 'set', 'LEGACY', '--verify-documents');
    expect((await portage.post(NOTES, note('/there.pdf'))).status).toBe(201);
    expect((await portage.post(NOTES, note('nowhere.pdf'))).body).toMatchObject({
      code: 'validation_error',
      errors: [{ code: 'path_does_not_exist_in_file_store' }],
    });
    await server.stop();
    const before = await portage.sql('SELECT id FROM note');
    const { status, body, headers } = await portage.post(NOTES, note('there-too.pdf'));
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', expect.any(String)]);
    const validated = await portage.post(
      '/v2/data-import/accounts/validate/',
      account('N-2', { notes: note('there.pdf').notes }),
    );
    expect([validated.status, validated.body.code]).toEqual([503, 'unavailable']);
    expect(await portage.sql('SELECT id FROM note')).toEqual(before);
  });
});
