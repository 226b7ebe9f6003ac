import { until as pollUntil } from '@portage/testing';
import { useApplication } from '@portage/testing/application';
import { Client } from 'pg';
import { ChangeFeed } from './change-feed';

const test = useApplication();
let feed: ChangeFeed;
let outside: Client;
const heard = { import_supplier: 0, api_key: 0 };

beforeAll(async () => {
  feed = test.app.get(ChangeFeed);
  feed.onChange('import_supplier', () => (heard.import_supplier += 1));
  feed.onChange('api_key', () => (heard.api_key += 1));
  outside = new Client({ connectionString: test.databaseUrl });
  await outside.connect();
});
afterAll(async () => {
  await outside.end();
});

const until = async (holds: () => boolean) => pollUntil(holds, 'The condition did not hold in time.');

const listeners = async () =>
  (
    await outside.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'portage change feed'`,
    )
  ).rows.map(({ pid }) => pid);

describe('the change feed', () => {
  it('announces a change that another process commits, with its table', async () => {
    expect(feed.isListening).toBe(true);
    const before = { ...heard };
    await outside.query("UPDATE import_supplier SET status = 'Paused'");
    await until(() => heard.import_supplier > before.import_supplier);
    expect(heard.api_key).toBe(before.api_key);
    await outside.query("INSERT INTO api_key (organisation_id, prefix, hash) VALUES (1, 'p', '')");
    await until(() => heard.api_key > before.api_key);
  });

  it('announces nothing that is rolled back', async () => {
    const before = heard.import_supplier;
    await outside.query("BEGIN; UPDATE import_supplier SET status = 'Complete'; ROLLBACK");
    // Notifications arrive in the order of commits.
    await outside.query("UPDATE import_supplier SET status = 'Ongoing'");
    await until(() => heard.import_supplier > before);
    expect(heard.import_supplier).toBe(before + 1);
  });

  it('reports the loss of its connection, and reconnects', async () => {
    const [pid] = await listeners();
    const before = { ...heard };
    await outside.query('SELECT pg_terminate_backend($1)', [pid]);
    await until(() => !feed.isListening);
    await outside.query("UPDATE import_supplier SET status = 'Paused'");
    await until(() => feed.isListening);
    // Changes may have been missed, so all listeners are called.
    expect(heard.import_supplier).toBeGreaterThan(before.import_supplier);
    expect(heard.api_key).toBeGreaterThan(before.api_key);
    const [again, ...more] = await listeners();
    expect(again).not.toBe(pid);
    expect(more).toEqual([]);
    const now = heard.import_supplier;
    await outside.query("UPDATE import_supplier SET status = 'Ongoing'");
    await until(() => heard.import_supplier > now);
  });
});
