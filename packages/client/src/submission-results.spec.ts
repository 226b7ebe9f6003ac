import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { TestServer } from '@portage/testing/test-server';
import { tokenReply } from '../test/token-reply';
import { createPortageClient, type PortageClient, Unreachable } from './index';

const QUICK = { baseDelayMs: 5, maxDelayMs: 20, maxAttempts: 3, maxDurationMs: 5_000 };
const row = (line: number) => `${JSON.stringify({ upload: 1, line, outcome: 'refused', errors: [] })}\n`;

const TOKEN = '/v1/graphql/';

let server: TestServer;
const resultRequests = () => server.requests.map(({ path }) => path).filter((path) => path !== TOKEN);

/** A client of a service whose answers to requests for results are written by `answer`. */
async function clientOf(answer: (response: ServerResponse, nth: number) => void): Promise<PortageClient> {
  server = await TestServer.start((request, response) => {
    if (request.path === TOKEN) {
      tokenReply('token')(request, response);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    answer(response, request.nth + 1);
  });
  return createPortageClient({ baseUrl: server.url, apiKey: 'key', retry: QUICK, timeoutMs: 2_000 });
}

/** Writes rows, and breaks the connection in the middle of the next one. */
function breakAfter(response: ServerResponse, lines: number[]): void {
  response.write(`${lines.map(row).join('')}{"upload":1,"li`, () => {
    setTimeout(() => response.destroy(), 20);
  });
}

async function readAll(portage: PortageClient): Promise<number[]> {
  const lines: number[] = [];
  for await (const { line } of portage.results('7')) lines.push(line);
  return lines;
}

afterEach(() => server.stop());

describe('the results of a submission', () => {
  it('are rows, also if there is only one, and of the outcomes that are asked for', async () => {
    const portage = await clientOf((response) => response.end(row(4).trimEnd()));
    const rows = [];
    for await (const one of portage.results('7', { outcome: ['refused', 'errored'] })) rows.push(one);
    expect(rows).toEqual([{ upload: 1, line: 4, outcome: 'refused', errors: [] }]);
    expect(resultRequests()).toEqual([
      '/v2/data-import/submissions/7/results/?outcome=refused&outcome=errored',
    ]);
    const { data } = await portage.listSubmissionResults({ path: { id: '7' } });
    expect(data).toBe(row(4).trimEnd());
  });

  it('are delivered once, however often the answer breaks after some more of them', async () => {
    const portage = await clientOf((response, nth) => {
      const sent = Array.from({ length: nth }, (_, i) => i + 1);
      if (nth < 7) breakAfter(response, sent);
      else response.end(sent.map(row).join(''));
    });
    expect(await readAll(portage)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('end with an error if answers break without more of them', async () => {
    const portage = await clientOf((response) => {
      breakAfter(response, [1, 2]);
    });
    await expect(readAll(portage)).rejects.toThrow(Unreachable);
  });

  it('are read no further than they are taken, and not again after the loop was left', async () => {
    let isClosed = false;
    let closed: Promise<unknown> | undefined;
    let written = 0;
    const portage = await clientOf((response) => {
      closed = once(response, 'close').then(() => (isClosed = true));
      const write = () => {
        const next = () =>
          `${row((written += 1))
            .trimEnd()
            .padEnd(10_000)}\n`;
        while (!isClosed && response.write(next()));
        if (!isClosed) response.once('drain', write);
      };
      write();
    });
    for await (const { line } of portage.results('7')) if (line === 3) break;
    const before = written;
    expect(before).toBeLessThan(2_000);
    await closed;
    expect(resultRequests()).toHaveLength(1);
  });
});
