import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { account, until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';
import { Client } from 'pg';
import type { ScenarioRun } from '../scenario';
import { withQueue } from '../strikes';

const INSTRUCTIONS = '/v1/data-import/payment-instruction/create/';
const ENDPOINTS = '/v2/data-import/webhook-endpoints/';
const REFUSED_LINES = 10;
const ACCEPTED_LINES = 10;
/** How often a fault is repeated that has to go on. */
const REPEAT_MS = 300;
const LANES = 6;

/** What brings an alert about. @returns what ends it */
export type Cause = (installation: Installation, atEnd: ScenarioRun['atEnd']) => Promise<() => unknown>;

/** Repeats something until the cause ends, several times at once. */
async function repeated(
  work: (index: number, lane: number) => Promise<unknown>,
  lanes = 1,
): Promise<() => Promise<void>> {
  let isOver = false;
  const running = Array.from({ length: lanes }, async (_, lane) => {
    for (let index = 0; !isOver; index += 1) await Promise.all([work(index, lane), sleep(REPEAT_MS)]);
  });
  return async () => {
    isOver = true;
    await Promise.all(running);
  };
}

/** Sends a payment instruction for the account N-0. */
export async function instruct(
  installation: Installation,
  reference: string,
  baseUrl = installation.baseUrl,
): Promise<number> {
  const isCard = reference.startsWith('pm_');
  const body = {
    import_supplier: installation.supplier,
    external_account_number: 'N-0',
    type: isCard ? 'CARD' : 'DIRECT_DEBIT',
    vendor: isCard ? 'STRIPE' : 'GOCARDLESS',
    reference,
  };
  const { status } = await installation.send('POST', INSTRUCTIONS, { body, baseUrl });
  return status;
}

/** Adds a note with a document that is not there to the account N-0. */
export async function noteWithDocument(installation: Installation, path: string): Promise<void> {
  const answer = await installation.post('/v1/data-import/notes/create/', {
    import_supplier: installation.supplier,
    external_account_number: 'N-0',
    notes: [{ document_paths: [{ document_path: path }] }],
  });
  expect([path, answer.status]).toEqual([path, 201]);
}

const hasDocument = async (installation: Installation, path: string) =>
  (await installation.sql('SELECT FROM document WHERE path = $1', [path])).length > 0;

/** An endpoint whose receiver answers as told. @returns its id */
async function webhook(
  installation: Installation,
  atEnd: ScenarioRun['atEnd'],
  status: () => number,
): Promise<string> {
  const receiver = await WebhookReceiver.start((_request, response) => response.writeHead(status()).end());
  atEnd(async () => receiver.stop());
  const { body } = await installation.post(ENDPOINTS, {
    import_supplier: installation.supplier,
    url: receiver.url,
    types: ['data_import.import_process.complete-v1'],
  });
  const id = body.id as string;
  await installation.post(`${ENDPOINTS}${id}/verify/`, {});
  await installation.schedule(installation.account());
  return id;
}

/** Causes that do not disturb each other. */
export const TOGETHER: Readonly<Record<string, Cause>> = {
  PortageReleaseWaiting: async (installation) => {
    const code = await installation.addSupplier('STAGED', '--creation-mode', 'staged');
    await installation.schedule(account('R-1', { import_supplier: code }));
    await installation.waitFor('DRY_RUN_SUCCEEDED', 1);
    await installation.sql(
      `UPDATE import_process SET modified_at = now() - interval '4 days' WHERE external_account_number = 'R-1'`,
    );
    return async () => installation.operator('process', 'release', '--supplier', code, '--all');
  },
  PortageDocumentsMissing: async (installation) => {
    const path = 'missing.pdf';
    await noteWithDocument(installation, path);
    await until(async () => hasDocument(installation, path), 'there is no document');
    // What the last of its attempts stores, eleven hours later.
    await installation.sql(
      `UPDATE document SET state = 'MISSING', error_code = 'path_does_not_exist_in_file_store', inspected_at = now()
       WHERE path = $1`,
      [path],
    );
    return async () => {
      const folder = join(installation.directory, 'documents', 'book');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, path), '%PDF-1.4\n%%EOF');
      await installation.operator('document', 'retry', '--supplier', installation.supplier);
    };
  },
  PortageWebhookLag: async (installation, atEnd) => {
    let status = 500;
    const id = await webhook(installation, atEnd, () => status);
    return async () => {
      status = 204;
      await installation.send('POST', `${ENDPOINTS}${id}/enable/`);
    };
  },
  PortageWebhookDisabled: async (installation, atEnd) => {
    const id = await webhook(installation, atEnd, () => 410);
    return async () => installation.send('DELETE', `${ENDPOINTS}${id}/`);
  },
  PortageRefreshTokenReuse: async (installation) => {
    const obtain = async (input: object) =>
      installation.graphql(
        'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { refreshToken } }',
        { input },
      );
    const { body } = await obtain({ APIKey: installation.apiKey });
    const { refreshToken } = body.data.obtainPlatformToken as { refreshToken: string };
    for (let use = 0; use < 2; use += 1) await obtain({ refreshToken });
    return () => undefined;
  },
  PortageLinesRefused: async (installation) => {
    const expected = { accounts: REFUSED_LINES + ACCEPTED_LINES + 1 };
    const id = await installation.openSubmission('differs', { expected });
    const lines = Array.from({ length: REFUSED_LINES + ACCEPTED_LINES }, (_, index) =>
      installation.account(`L-${index}`, index < REFUSED_LINES ? { customers: 'none' } : {}),
    );
    const { status, text } = await installation.upload(id, lines);
    expect([status, text]).toEqual([200, text]);
    expect((await installation.completeSubmission(id)).status).toBe(200);
    return () => undefined;
  },
  // The submission of the cause before.
  PortageSubmissionNotReconciled: (installation) =>
    Promise.resolve(async () =>
      installation.sql(`UPDATE submission SET finished_at = finished_at - interval '8 days'`),
    ),
  PortageInstructionsRefused: async (installation) => {
    for (let index = 0; index < 12; index += 1)
      expect(await instruct(installation, `pm_sandboxExpired${index}`)).toBe(400);
    return () => undefined;
  },
  // Its answers are the 5xx of the next one.
  PortageVendorBreakerOpen: async (installation) => {
    // While the breaker is open, each of them waits for its retries.
    const stop = await repeated(
      async (index, lane) => instruct(installation, `MDSANDBOXDOWN${lane}00${index}`),
      LANES,
    );
    return async () => {
      await stop();
      await until(
        async () => (await instruct(installation, 'MDSANDBOXACTIVE')) === 201,
        'the breaker is open',
      );
    };
  },
  PortageErrorRatio: () => Promise.resolve(() => undefined),
  PortageAccountErrorRatio: async (installation) =>
    repeated(async (index) => {
      // Both are accepted before one of them is imported.
      const references = [{ namespace: 'legacy', value: `R-${index}` }];
      const pair = ['a', 'b'].map(async (one) =>
        installation.schedule(installation.account(`E-${index}${one}`, { references })),
      );
      return Promise.all(pair);
    }),
  PortageJobFailureRatio: async (installation) => {
    const code = await installation.addSupplier('MAIL', '--send-migration-emails');
    return repeated(async (index) =>
      installation.schedule(
        account(`M-${index}`, {
          import_supplier: code,
          customers: [{ given_name: 'Maeve', family_name: 'Aldous', email: `maeve${index}@example.org` }],
        }),
      ),
    );
  },
  PortageQueuePaused: async (installation) => {
    await withQueue(installation, 'transactions', async (queue) => queue.pause());
    return async () => withQueue(installation, 'transactions', async (queue) => queue.resume());
  },
  PortageEventLoopLate: (installation) => {
    // A processor that is given to others for two thirds of the time.
    const { pid } = installation.workers[1]!;
    return repeated(async () => {
      process.kill(pid!, 'SIGSTOP');
      await sleep(800);
      process.kill(pid!, 'SIGCONT');
      await sleep(400);
    });
  },
};

/** A transaction that is left open. */
export const transactionLeftOpen: Cause = async (installation) =>
  transactionOf(installation, 'SELECT txid_current()');

/** Requests at an API that hold all of its connections, because a session has locked a table. */
export async function exhaustedPool(installation: Installation, baseUrl: string): Promise<() => unknown> {
  const release = await transactionOf(installation, 'LOCK TABLE account_request IN ACCESS EXCLUSIVE MODE');
  const stop = await repeated(
    async (index, lane) => instruct(installation, `pm_sandboxVisa${lane}00${index}`, baseUrl),
    LANES,
  );
  return async () => {
    await release();
    await stop();
  };
}

/** @returns what ends it */
async function transactionOf({ databaseUrl }: Installation, statement: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  return async () => client.end();
}
