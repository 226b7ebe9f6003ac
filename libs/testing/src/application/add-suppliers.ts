import type { Client } from 'pg';

/** Adds suppliers with these codes to an empty database, each of an organisation of its own. Their ids count from 1. */
export async function addSuppliers(client: Client, ...codes: string[]): Promise<void> {
  await client.query(
    'INSERT INTO organisation (name) SELECT code FROM unnest($1::text[]) WITH ORDINALITY AS codes (code, n) ORDER BY n',
    [codes],
  );
  await client.query(`
    INSERT INTO import_supplier (organisation_id, code, region, creation_mode, profile, document_root, currency,
      time_zone, verify_documents, reject_undocumented_fields, send_migration_emails)
    SELECT id, name, 'GB', 'direct', 'core', name, 'GBP', 'UTC', false, false, false FROM organisation ORDER BY id`);
}
