import { join } from 'node:path';
import { builtProgram, type PortageClient, REPOSITORY } from '@portage/testing';
import { runProgram } from './programs';

export const SAMPLE_SUPPLIER = 'DEMO';
const BOOK = join(REPOSITORY, 'examples', 'book.ndjson');

/**
 * Imports the sample book with the supplier's program. The accounts that are faulty on purpose are refused.
 *
 * @returns the API key
 */
export async function importSampleBook(
  portage: PortageClient,
  importBook = async (key: string) => runImporter(portage, key),
): Promise<string> {
  await portage.operator('organisation', 'create', 'Demo');
  await portage.operator('supplier', 'create', SAMPLE_SUPPLIER, '--organisation', 'Demo');
  const issued = await portage.operator('api-key', 'issue', '--organisation', 'Demo');
  const { api_key: key } = issued as { api_key: string };
  const { status, output } = await importBook(key);
  const counts = await portage.sql(
    `SELECT process.status, count(*)::int AS count FROM import_process process
     JOIN import_supplier supplier ON supplier.id = process.supplier_id
     WHERE supplier.code = $1 GROUP BY 1 ORDER BY 1`,
    [SAMPLE_SUPPLIER],
  );
  // The importer reports the faulty accounts with its status.
  expect([status, counts, output]).toEqual([1, [{ status: 'PROCESSED', count: 200 }], output]);
  return key;
}

async function runImporter({ baseUrl, directory }: PortageClient, key: string) {
  const args = ['--base-url', baseUrl, '--file', BOOK, '--errors', join(directory, 'errors.ndjson')];
  return runProgram(builtProgram('importer'), args, { env: { PORTAGE_API_KEY: key } });
}
