import { DocumentRepository, WelcomeEmailRepository } from '@portage/accounts';
import { FEED_PROCESS_EVENTS } from '@portage/imports';
import { realignEventFeed } from '@portage/platform';
import { SubmissionRepository } from '@portage/submissions';
import { until, untilFeedIsCurrent } from '@portage/testing';
import {
  insertProcesses,
  StoredProcesses,
  TestSubmission,
  useApplication,
} from '@portage/testing/application';
import fc from 'fast-check';
import { Client } from 'pg';
import { EVENT_TYPE_NAMES, sourceEvents } from './event-type';
import { EventFeedRepository, type StoredEvent } from './event-feed.repository';
import { BEGINNING, type EventPosition } from './event-position';
import { SubmissionEventRepository } from './submission-event.repository';

/** How long a transaction is held open. */
const HELD_SECONDS = 0.5;

const test = useApplication();
const stored = new StoredProcesses(test);
let feed: EventFeedRepository;

beforeAll(async () => {
  feed = test.app.get(EventFeedRepository);
});

const follow = (after: EventPosition) => ({ supplierId: test.supplier.id, after });
const nameOf = ({ event, externalAccountNumber }: StoredEvent) => `${externalAccountNumber} ${event}`;

const caughtUp = async () => untilFeedIsCurrent(async (text) => stored.sql(text));

/** The position after all that is committed. */
async function currentPosition(): Promise<EventPosition> {
  await caughtUp();
  return feed.readHorizon();
}

/** A reader that remembers what it has read. */
class Reader {
  readonly seen: string[] = [];
  readonly positions: EventPosition[] = [];
  next = BEGINNING;

  constructor(private readonly limit = 100) {}

  static async fromNow(limit?: number): Promise<Reader> {
    const reader = new Reader(limit);
    reader.next = await feed.readHorizon();
    return reader;
  }

  /** Reads all that was committed, once nothing holds it back. */
  async readAll(): Promise<void> {
    await caughtUp();
    await this.read();
  }

  /** Reads all that the feed shows at the moment. */
  async read(): Promise<void> {
    for (;;) {
      const page = await feed.read(follow(this.next), { events: undefined, limit: this.limit });
      this.next = page.next;
      this.seen.push(...page.events.map(nameOf));
      this.positions.push(...page.events.map(({ position }) => position));
      if (page.isExhausted) return;
    }
  }
}

const keyOf = ({ transaction, source, id, version, attempt, event }: EventPosition) =>
  [transaction, source, id, version, attempt].map((number) => String(number).padStart(20, '0')).join(' ') +
  ` ${event}`;

/** A connection whose transaction writes events of a process. */
class Writer {
  private constructor(readonly client: Client) {}

  static async connect(): Promise<Writer> {
    const client = new Client({ connectionString: test.databaseUrl });
    await client.connect();
    return new Writer(client);
  }

  /** Writes an event as the service does. */
  async insert(processId: string, version: number): Promise<void> {
    await this.client.query(
      `INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
       SELECT id, $2, 0, 'CANCELLED', supplier_id, event_transaction_id() FROM import_process WHERE id = $1`,
      [processId, version],
    );
  }
}

describe('the feed of a supplier', () => {
  it('shows the events that have a type, with account, submission and error, and no others', async () => {
    const submission = await TestSubmission.open(test, 'EVENTS');
    await submission.account('E-IMPORTED');
    const reader = new Reader();
    for (const status of ['ERRORED', 'DRY_RUN_SUCCEEDED', 'DRY_RUN_ERRORED', 'CANCELLED'] as const)
      await stored.inState(status, { externalAccountNumber: `E-${status}` });
    await stored.inState('PENDING', { externalAccountNumber: 'E-PENDING' });
    await reader.readAll();
    expect(reader.seen).toEqual([
      'E-IMPORTED PROCESSED',
      'E-ERRORED ERRORED',
      'E-DRY_RUN_SUCCEEDED DRY_RUN_SUCCEEDED',
      'E-DRY_RUN_ERRORED DRY_RUN_ERRORED',
      'E-CANCELLED CANCELLED',
    ]);
    const { events } = await feed.read(follow(BEGINNING), { events: undefined, limit: 2 });
    expect(events[0]).toMatchObject({
      externalAccountNumber: 'E-IMPORTED',
      externalIdentifier: 'E-IMPORTED',
      submissionId: submission.id,
      reference: 'EVENTS',
      errorCode: null,
    });
    expect(events[0]?.accountNumber).toMatch(/^A-/);
    expect(events[1]).toMatchObject({ submissionId: null, errorCode: 'error', errorDetail: 'Words.' });
  });

  it('delivers with a filter what matches, and moves on over what does not', async () => {
    const wanted = sourceEvents(EVENT_TYPE_NAMES[1]!);
    const { events, isExhausted, next } = await feed.read(follow(BEGINNING), { events: wanted, limit: 10 });
    expect(events.map(({ event }) => event)).toEqual(['ERRORED']);
    expect(isExhausted).toBe(true);
    expect((await feed.read(follow(next), { events: undefined, limit: 10 })).events).toEqual([]);
  });

  it('has the same events in pages of any size', async () => {
    const whole = new Reader();
    await whole.read();
    for (const limit of [1, 2, 3]) {
      const reader = new Reader(limit);
      await reader.read();
      expect(reader.seen).toEqual(whole.seen);
    }
  });

  it('is found to have news by one statement for many suppliers', async () => {
    const now = await currentPosition();
    expect(await feed.findNews([follow(BEGINNING), { supplierId: 999, after: BEGINNING }])).toEqual([
      test.supplier.id,
    ]);
    expect(await feed.findNews([follow(now)])).toEqual([]);
  });
});

describe('the order of the feed', () => {
  it('shows events of transactions that commit in another order than they began, each once', async () => {
    const processes = await Promise.all(
      ['O-1', 'O-2', 'O-3'].map(async (number) =>
        stored.inState('PENDING', { externalAccountNumber: number }),
      ),
    );
    const [held, other] = [await Writer.connect(), await Writer.connect()];
    const reader = await Reader.fromNow();
    await held.client.query('BEGIN');
    await held.insert(processes[0]!.processId, 1);
    await other.insert(processes[1]!.processId, 1);
    // The other transaction has committed, and waits for the one that began before it.
    await reader.read();
    expect(reader.seen).toEqual([]);
    const hold = await feed.readHold();
    expect(hold.isHeld).toBe(true);
    await until(
      async () => ((await feed.readHold()).seconds ?? 0) > HELD_SECONDS,
      'the feed is not held back',
    );
    await other.insert(processes[2]!.processId, 1);
    await reader.read();
    expect(reader.seen).toEqual([]);
    await held.client.query('COMMIT');
    await reader.readAll();
    expect(reader.seen).toEqual(['O-1 CANCELLED', 'O-2 CANCELLED', 'O-3 CANCELLED']);
    await Promise.all([held, other].map(async ({ client }) => client.end()));
  });

  it('is held back by a transaction of another database only if it has an id', async () => {
    const url = new URL(test.databaseUrl);
    url.pathname = '/postgres';
    const foreign = new Client({ connectionString: url.href });
    await foreign.connect();
    try {
      const process = await stored.inState('PENDING', { externalAccountNumber: 'F-1' });
      const reader = await Reader.fromNow();
      await foreign.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      // A transaction that only reads has no id.
      await foreign.query('SELECT count(*) FROM pg_class');
      const writer = await Writer.connect();
      await writer.insert(process.processId, 1);
      await reader.readAll();
      expect(reader.seen).toEqual(['F-1 CANCELLED']);
      await foreign.query('SELECT pg_current_xact_id()');
      await writer.insert(process.processId, 2);
      await writer.client.end();
      await reader.read();
      expect(reader.seen).toEqual(['F-1 CANCELLED']);
      await foreign.query('ROLLBACK');
      await reader.readAll();
      expect(reader.seen).toEqual(['F-1 CANCELLED', 'F-1 CANCELLED']);
    } finally {
      await foreign.end();
    }
  });

  it('shows each reader every committed event once and in order, whatever transactions interleave', async () => {
    const writers = await Promise.all([1, 2, 3].map(async () => Writer.connect()));
    const { processId } = await stored.inState('PENDING', { externalAccountNumber: 'P-1' });
    let version = 0;
    const step = fc.tuple(
      fc.nat(writers.length - 1),
      fc.constantFrom('begin', 'insert', 'commit', 'rollback', 'read'),
    );
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          const begun = writers.map(() => [] as string[]);
          const isOpen = writers.map(() => false);
          const committed: string[] = [];
          const readers = [await Reader.fromNow(1), await Reader.fromNow(3)];
          const versionsOf = ({ positions }: Reader) => positions.map((position) => String(position.version));
          for (const [index, action] of steps) {
            const writer = writers[index]!;
            if (action === 'begin' && !isOpen[index]) {
              await writer.client.query('BEGIN');
              isOpen[index] = true;
            } else if (action === 'insert') {
              version += 1;
              await writer.insert(processId, version);
              if (isOpen[index]) begun[index]!.push(String(version));
              else committed.push(String(version));
            } else if ((action === 'commit' || action === 'rollback') && isOpen[index]) {
              await writer.client.query(action);
              if (action === 'commit') committed.push(...begun[index]!);
              begun[index] = [];
              isOpen[index] = false;
            } else if (action === 'read') {
              await readers[index % readers.length]!.read();
              for (const reader of readers)
                expect(committed).toEqual(expect.arrayContaining(versionsOf(reader)));
            }
          }
          for (const [index, { client }] of writers.entries())
            if (isOpen[index]) await client.query('ROLLBACK');
          for (const reader of readers) {
            await reader.readAll();
            expect(versionsOf(reader).sort()).toEqual([...committed].sort());
            const keys = reader.positions.map(keyOf);
            expect(keys).toEqual([...keys].sort());
          }
          expect(readers[0]!.positions).toEqual(readers[1]!.positions);
        }),
        { numRuns: 60 },
      );
    } finally {
      await Promise.all(writers.map(async ({ client }) => client.end()));
    }
  });

  it('knows every stored event that suppliers see', async () => {
    const { processId } = await stored.inState('PENDING', { externalAccountNumber: 'T-ALL' });
    const reader = await Reader.fromNow();
    for (const event of FEED_PROCESS_EVENTS)
      await stored.sql(
        `INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
         SELECT id, 1, 0, $2, supplier_id, event_transaction_id() FROM import_process WHERE id = $1`,
        [processId, event],
      );
    await reader.readAll();
    expect(reader.seen.map((name) => name.split(' ')[1])).toEqual([...FEED_PROCESS_EVENTS]);
  });

  it.each(FEED_PROCESS_EVENTS)(
    'has a place for each event %s, which is refused without one',
    async (event) => {
      const { processId } = await stored.inState('PENDING');
      const inserted = stored.sql(
        'INSERT INTO import_process_event (process_id, version, attempt, event) VALUES ($1, 1, 0, $2)',
        [processId, event],
      );
      await expect(inserted).rejects.toMatchObject({ constraint: 'import_process_event_feed_check' });
    },
  );
});

describe('a feed whose events come from a server with higher transaction ids', () => {
  // A database of its own: its functions are replaced.
  const restoredInto = useApplication();

  it('shows all of them after npm run migrate, and new ones after those that readers have seen', async () => {
    const client = new Client({ connectionString: restoredInto.databaseUrl });
    await client.connect();
    try {
      const { supplier } = restoredInto;
      const { rows } = await client.query<{ id: string }>(
        `${insertProcesses('generate_series(1, 1) AS n', { status: `'CANCELLED'` })} RETURNING id`,
      );
      const restored = 900_000_000_000n;
      await client.query(
        `INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
         VALUES ($1, 1, 0, 'CANCELLED', $2, $3)`,
        [rows[0]!.id, supplier.id, restored],
      );
      expect(await realignEventFeed(client)).toBe(true);
      expect(await realignEventFeed(client)).toBe(false);
      const { rows: positions } = await client.query<{ horizon: string; next: string }>(
        'SELECT event_feed_horizon() AS horizon, event_transaction_id() AS next',
      );
      expect(BigInt(positions[0]!.horizon)).toBeGreaterThan(restored);
      expect(BigInt(positions[0]!.next)).toBeGreaterThanOrEqual(BigInt(positions[0]!.horizon));
    } finally {
      await client.end();
    }
  });
});

describe('the events of submissions', () => {
  it('are shown once the submission was reconciled, one for each time that it has finished', async () => {
    const submission = await TestSubmission.open(test, 'ENDS');
    await submission.account('S-1');
    await submission.ended('S-2', 'ERRORED');
    await submission.complete();
    const [submissions, ends] = [test.app.get(SubmissionRepository), test.app.get(SubmissionEventRepository)];
    const from = await currentPosition();
    const read = async () => {
      await caughtUp();
      return (await feed.read(follow(from), { events: undefined, limit: 10 })).events;
    };
    expect(await submissions.finish(submission.id)).toBeDefined();
    expect(await read()).toEqual([]);
    const [end] = await ends.listUnannounced('0', 10);
    expect(end).toEqual({ submissionId: submission.id, number: 1 });
    await ends.announce(end!, true);
    await ends.announce(end!, false);
    expect(await read()).toMatchObject([
      {
        event: 'FINISHED',
        externalAccountNumber: null,
        submissionId: submission.id,
        reference: 'ENDS',
        counts: { PROCESSED: 1, ERRORED: 1, repeated: 0 },
        reconciled: true,
      },
    ]);
    await submission.sql('UPDATE submission SET finished_at = NULL WHERE id = $1', [submission.id]);
    await submissions.finish(submission.id);
    const [again] = await ends.listUnannounced('0', 10);
    expect(again).toEqual({ submissionId: submission.id, number: 2 });
    await ends.discard(again!);
    expect(await ends.listUnannounced('0', 10)).toEqual([]);
    expect(await read()).toHaveLength(1);
  });
});

describe('the event after the follow-ups of an import', () => {
  const documents = ['one.pdf', 'two.pdf'];

  async function importWithFollowUps(number: string): Promise<{ ids: string[]; accountId: string }> {
    const { processId } = await stored.inState('PROCESSED', { externalAccountNumber: number });
    const [row] = await stored.sql<{ id: string }>('SELECT id FROM account WHERE process_id = $1', [
      processId,
    ]);
    const ids: string[] = [];
    for (const path of documents) {
      const [document] = await stored.sql<{ id: string }>(
        `INSERT INTO document (account_id, path, kind, created_at)
         SELECT id, $2, 'note', created_at FROM account WHERE id = $1 RETURNING id`,
        [row!.id, path],
      );
      ids.push(document!.id);
    }
    await stored.sql(
      `INSERT INTO welcome_email (account_id, recipient, subject, body, created_at)
       SELECT id, 'a@example.com', 's', 'b', created_at FROM account WHERE id = $1`,
      [row!.id],
    );
    return { ids, accountId: row!.id };
  }

  const found = { state: 'STORED', size: 1, mediaType: 'application/pdf', sha256: Buffer.alloc(32) } as const;
  const missing = { state: 'MISSING', errorCode: 'document_missing' } as const;
  const after = async (from: EventPosition) => {
    await caughtUp();
    const { events } = await feed.read(follow(from), { events: undefined, limit: 10 });
    return events.map((event) => `${nameOf(event)} ${event.errorCode}`);
  };

  it('is written once, by the follow-up that ends last, also if the last two end at once', async () => {
    const [repository, emails] = [test.app.get(DocumentRepository), test.app.get(WelcomeEmailRepository)];
    for (let round = 0; round < 5; round += 1) {
      const number = `D-${round}`;
      const { ids, accountId } = await importWithFollowUps(number);
      const from = await currentPosition();
      await repository.settle(ids[0]!, found);
      expect(await after(from)).toEqual([]);
      await Promise.all([repository.settle(ids[1]!, found), emails.settle(accountId, 'SENT')]);
      expect(await after(from)).toEqual([`${number} POST_IMPORT_COMPLETED null`]);
    }
  });

  it('says that a follow-up has failed, and after a retry that all are done; later documents write none', async () => {
    const [repository, emails] = [test.app.get(DocumentRepository), test.app.get(WelcomeEmailRepository)];
    const { ids, accountId } = await importWithFollowUps('D-FAILED');
    const from = await currentPosition();
    await emails.settle(accountId, 'SENT');
    await repository.settle(ids[0]!, missing);
    await repository.settle(ids[1]!, found);
    expect(await after(from)).toEqual(['D-FAILED POST_IMPORT_ERRORED document_missing']);
    await repository.reopen(test.supplier.id, ['MISSING'], '0', 10);
    await repository.settle(ids[0]!, found);
    const both = ['D-FAILED POST_IMPORT_ERRORED document_missing', 'D-FAILED POST_IMPORT_COMPLETED null'];
    expect((await after(from)).sort()).toEqual([...both].sort());
  });

  it('is not written for documents of later requests', async () => {
    const { processId } = await stored.inState('PROCESSED', { externalAccountNumber: 'D-LATER' });
    const from = await currentPosition();
    const [row] = await stored.sql<{ id: string }>('SELECT id FROM account WHERE process_id = $1', [
      processId,
    ]);
    const [document] = await stored.sql<{ id: string }>(
      `INSERT INTO document (account_id, path, kind) VALUES ($1, 'later.pdf', 'note') RETURNING id`,
      [row!.id],
    );
    await test.app.get(DocumentRepository).settle(document!.id, found);
    expect(await after(from)).toEqual([]);
  });
});
