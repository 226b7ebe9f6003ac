import { PortageError, Queues } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { testedBackends } from '@portage/testing';
import { StoredProcesses, useApplication, WITHOUT_CACHES } from '@portage/testing/application';
import { RetryDocuments, type UnsettledState } from './retry-documents';

describe.each(testedBackends())('retrying documents (%s)', (backend) => {
  const test = useApplication(backend, {}, WITHOUT_CACHES);
  const stored = new StoredProcesses(test);
  let other: { id: number };

  beforeAll(async () => {
    other = await test.app.get(ImportSuppliers).create('OTHER', 'Supplier Ltd', {});
  });

  const documentsQueue = () => test.app.get(Queues).get('documents');

  /** Adds an account with documents in this state, as a finished job leaves them. */
  async function documentsIn(state: UnsettledState | 'STORED', count: number, supplier = test.supplier.id) {
    const { number } = await stored.inState('PROCESSED');
    await stored.sql('UPDATE account SET supplier_id = $2 WHERE external_account_number = $1', [
      number,
      supplier,
    ]);
    return stored.sql<{ id: string }>(
      `INSERT INTO document (account_id, path, kind, state, error_code, unsettled_supplier_id, sha256)
       SELECT id, i || '.pdf', 'note', $2::text, CASE WHEN $2 <> 'STORED' THEN 'a_code' END,
         CASE WHEN $2 <> 'STORED' THEN supplier_id END, CASE WHEN $2 = 'STORED' THEN 'x'::bytea END
       FROM account, generate_series(1, $3::int) i WHERE external_account_number = $1 RETURNING id`,
      [number, state, count],
    );
  }
  const retry = async (...states: UnsettledState[]) =>
    test.app.get(RetryDocuments).retry('LEGACY', states, new AbortController().signal);
  const counts = async () =>
    Object.fromEntries(
      (
        await stored.sql<{ key: string; count: number }>(
          `SELECT supplier.code || ' ' || state AS key, count(*)::int AS count
           FROM document JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = supplier_id
           GROUP BY 1`,
        )
      ).map(({ key, count }) => [key, count]),
    );

  beforeEach(async () => {
    await stored.sql('TRUNCATE document');
    await documentsQueue().obliterate({ force: true });
  });

  it('reopens many documents of the supplier in the given state, with one job each', async () => {
    await documentsIn('MISSING', 1_201);
    await documentsIn('REFUSED', 3);
    await documentsIn('STORED', 2);
    await documentsIn('MISSING', 4, other.id);
    expect(await retry('MISSING')).toEqual({
      retried: 1_201,
      withoutJob: 0,
      isComplete: true,
      last: expect.stringMatching(/^[1-9]\d*$/) as string,
    });
    expect(await counts()).toEqual({
      'LEGACY PENDING': 1_201,
      'LEGACY REFUSED': 3,
      'LEGACY STORED': 2,
      'OTHER MISSING': 4,
    });
    expect(await test.app.get(Queues).countWaiting('documents')).toBe(1_201);
    expect(await retry('MISSING', 'REFUSED')).toMatchObject({ retried: 3 });
    expect(await retry('MISSING', 'REFUSED')).toMatchObject({ retried: 0 });
  });

  it('stops when its signal is aborted', async () => {
    await documentsIn('MISSING', 3);
    const stopped = test.app.get(RetryDocuments).retry('LEGACY', ['MISSING'], AbortSignal.abort());
    expect(await stopped).toEqual({ retried: 0, withoutJob: 0, isComplete: false, last: '0' });
    expect(await counts()).toEqual({ 'LEGACY MISSING': 3 });
  });

  it('refuses an unknown supplier', async () => {
    const refused = test.app.get(RetryDocuments).retry('UNKNOWN', ['MISSING'], new AbortController().signal);
    await expect(refused).rejects.toBeInstanceOf(PortageError);
  });
});
