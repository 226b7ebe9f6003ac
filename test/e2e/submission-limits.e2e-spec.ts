import { Readable } from 'node:stream';
import { account, Installation, LINES_MEDIA_TYPE } from '@portage/testing';
import { exchange } from '@portage/testing/exchange';

const SUBMISSIONS = '/v2/data-import/submissions/';

/** The limit of STALLED_UPLOAD_MS. */
const STALLED_MS = 30_000;

/** Uploads of one line, and how many are sent at a time. */
const UPLOADS = 500;
const CONCURRENT_UPLOADS = 8;

describe('uploads to a submission at their limits', () => {
  const portage = Installation.use({ backend: 'postgres', workers: 0 });

  const countsOf = async (id: string) =>
    (await portage.get(`${SUBMISSIONS}${id}/`)).body.counts as Record<string, number>;
  const lineOf = (number: string) => `${JSON.stringify(account(number))}\n`;

  it('a sender that sends nothing for 30 s is told so, what it sent is stored, and it can send the file again', async () => {
    const id = await portage.openSubmission('stalled');
    const book = Array.from({ length: 100 }, (_, index) => lineOf(`STALLED-${index}`)).join('');
    const start = performance.now();
    const stalling = new Readable({ read: () => undefined });
    stalling.push(book.slice(0, book.indexOf('STALLED-70')));
    const answer = await exchange('POST', `${portage.baseUrl}${SUBMISSIONS}${id}/accounts/`, {
      headers: { 'content-type': LINES_MEDIA_TYPE, authorization: `Token ${portage.token}` },
      body: stalling,
    });
    const elapsedMs = performance.now() - start;
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'upload_stalled' })]);
    expect(elapsedMs).toBeGreaterThanOrEqual(STALLED_MS);
    expect(await countsOf(id)).toMatchObject({ received: 70, pending: 70 });
    expect((await portage.upload(id, book)).body).toMatchObject({
      lines: 100,
      accepted: 30,
      repeated: 70,
      unchanged: 0,
      corrections: 0,
    });
    expect(await countsOf(id)).toMatchObject({ received: 100, pending: 100, refused: 0 });
  });

  it(`takes ${UPLOADS} uploads of one line, counts each line, and answers others meanwhile`, async () => {
    const id = await portage.openSubmission('one by one');
    let next = 0;
    let isOver = false;
    const unexpected: string[] = [];
    const send = async () => {
      for (let index = next++; index < UPLOADS; index = next++) {
        const { status, body, text } = await portage.upload(id, lineOf(`ONE-${index}`));
        if (status !== 200 || body.accepted !== 1) unexpected.push(`${status} ${text}`);
      }
    };
    const slowest = async () => {
      let slowestMs = 0;
      while (!isOver) {
        const start = performance.now();
        await portage.get(`/v2/data-import/accounts/${portage.supplier}/unknown/`);
        slowestMs = Math.max(slowestMs, performance.now() - start);
      }
      return slowestMs;
    };
    const reading = slowest();
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, send));
    isOver = true;
    expect(unexpected).toEqual([]);
    expect(await reading).toBeLessThan(10_000);
    expect(await countsOf(id)).toMatchObject({
      received: UPLOADS,
      pending: UPLOADS,
      refused: 0,
      repeated: 0,
    });
    const [stored] = await portage.sql<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM submission_line WHERE submission_id = $1) AS lines,
           (SELECT sum(accepted)::int FROM submission_upload WHERE submission_id = $1) AS accepted`,
      [id],
    );
    expect(stored).toEqual({ lines: UPLOADS, accepted: UPLOADS });
  });
});
