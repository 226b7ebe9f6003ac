import { PortageClient } from './portage-client';
import { inSequence, json, TestServer } from './test-server';
import { until } from './until';

describe('a condition', () => {
  it('is polled until it is true', async () => {
    let calls = 0;
    await until(() => (calls += 1) === 3, 'It did not hold.');
    expect(calls).toBe(3);
  });

  it('that is not true in time fails with what was found last', async () => {
    let calls = 0;
    const waited = until(
      () => (calls += 1) < 0,
      () => `found ${calls}`,
      50,
    );
    await expect(waited).rejects.toThrow('Not within 0.05 s: found ');
  });

  it('that can no longer become true fails at once', async () => {
    let calls = 0;
    const waited = until(
      () => {
        calls += 1;
        return calls === 2 ? 'never' : false;
      },
      () => `found ${calls}`,
    );
    await expect(waited).rejects.toThrow('No longer possible: found 2');
    expect(calls).toBe(2);
  });
});

describe('an account or a submission', () => {
  /** Gives a client of a service that answers with these, the last one repeatedly. @returns the number of requests */
  async function withAnswers(
    answers: object[],
    work: (client: PortageClient) => Promise<void>,
  ): Promise<number> {
    const server = await TestServer.start(inSequence(...answers.map((answer) => json(200, answer))), {
      // Without a document, answers are not compared with it.
      intercept: ({ path }) => (path === '/openapi.json' ? json(404, {}) : undefined),
    });
    const client = new PortageClient('', '', {}, 'Supplier Ltd', 'LEGACY');
    client.baseUrl = server.url;
    try {
      await work(client);
    } finally {
      await server.stop();
    }
    return server.requests.length;
  }

  it.each([
    ['ERRORED', 'PROCESSED'],
    ['CANCELLED', 'PROCESSED'],
    ['PROCESSED', 'ERRORED'],
  ])('that has ended as %s is not awaited to become %s', async (status, expected) => {
    const requests = await withAnswers([{ status, latest_error: 'why' }], async (client) => {
      const waited = client.waitForAccount('A-1', expected);
      await expect(waited).rejects.toThrow(
        `A-1 is not ${expected}: {"status":"${status}","latest_error":"why"}`,
      );
    });
    expect(requests).toBeLessThan(3);
  });

  it('is awaited where a change of its present status has been requested', async () => {
    const [errored, processed] = [{ status: 'ERRORED' }, { status: 'PROCESSED' }];
    const requests = await withAnswers([errored, errored, processed], async (client) => {
      await client.waitForAccount('A-1', 'PROCESSED', { after: 'ERRORED' });
    });
    expect(requests).toBe(3);
  });

  it('that was aborted is not awaited to be finished', async () => {
    const requests = await withAnswers([{ status: 'ABORTED' }], async (client) => {
      await expect(client.waitForSubmission('s-1')).rejects.toThrow(
        's-1 is not FINISHED: {"status":"ABORTED"}',
      );
    });
    expect(requests).toBeLessThan(3);
  });
});
