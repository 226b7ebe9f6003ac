import { join } from 'node:path';
import { builtProgram, REPOSITORY } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { runProgram } from './programs';

export const SAMPLE_SUPPLIER = 'DEMO';
const BOOK = join(REPOSITORY, 'examples', 'book.ndjson');

/** Imports the sample book with the supplier's program. The accounts that are faulty on purpose are refused. */
export async function importSampleBook(installation: Installation): Promise<void> {
  await installation.operator('organisation', 'create', 'Demo');
  await installation.operator('supplier', 'create', SAMPLE_SUPPLIER, '--organisation', 'Demo');
  const issued = await installation.operator('api-key', 'issue', '--organisation', 'Demo');
  const { api_key: key } = issued as { api_key: string };
  const args = ['--base-url', installation.baseUrl, '--file', BOOK];
  args.push('--errors', join(installation.directory, 'errors.ndjson'));
  const env = { PORTAGE_API_KEY: key };
  const { status, output } = await runProgram(builtProgram('importer'), args, { env });
  const counts = await installation.sql(
    `SELECT process.status, count(*)::int AS count FROM import_process process
     JOIN import_supplier supplier ON supplier.id = process.supplier_id
     WHERE supplier.code = $1 GROUP BY 1 ORDER BY 1`,
    [SAMPLE_SUPPLIER],
  );
  // The importer reports the faulty accounts with its status.
  expect([status, counts, output]).toEqual([1, [{ status: 'PROCESSED', count: 200 }], output]);
}
