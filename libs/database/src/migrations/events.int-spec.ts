import { until } from '@portage/testing';
import { startApplication, StoredProcesses } from '@portage/testing/application';
import { DataSource } from 'typeorm';
import { EventFeedRepository } from '../event-feed/event-feed.repository';
import { BEGINNING } from '../event-feed/event-position';
import { Events1795500000000 } from './1795500000000-events';

describe('the migration to the feed of events', () => {
  it('puts the events of earlier releases at the beginning of the feed, and those that follow after them', async () => {
    const test = await startApplication();
    const stored = new StoredProcesses(test);
    const migration = new Events1795500000000();
    const runner = test.app.get(DataSource).createQueryRunner();
    const read = async () =>
      test.app
        .get(EventFeedRepository)
        .read({ supplierId: test.supplier.id, after: BEGINNING }, { events: undefined, limit: 10 });
    try {
      await stored.inState('PROCESSED', { externalAccountNumber: 'OLD-1' });
      await stored.inState('ERRORED', { externalAccountNumber: 'OLD-2' });
      await runner.startTransaction();
      await migration.down(runner);
      await migration.up(runner);
      await runner.commitTransaction();
      await stored.inState('CANCELLED', { externalAccountNumber: 'NEW-1' });
      let { events } = await read();
      await until(
        async () => ({ events } = await read()).events.length === 3,
        20_000,
        () => `${events.length} events`,
      );
      expect(
        events.map(({ event, account, position }) => [
          account?.externalAccountNumber,
          event,
          position.transaction === '0',
        ]),
      ).toEqual([
        ['OLD-1', 'PROCESSED', true],
        ['OLD-2', 'ERRORED', true],
        ['NEW-1', 'CANCELLED', false],
      ]);
      await expect(stored.sql('DELETE FROM import_process_event')).rejects.toThrow(/only ever added to/);
    } finally {
      await runner.release();
      await test.app.close();
    }
  });
});
