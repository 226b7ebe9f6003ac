import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Config, ConfigModule } from '@portage/config';
import { DatabaseModule } from '@portage/database';
import { ImportingModule, ImportSuppliers, ObtainToken, Organisations, Refusal } from '@portage/importing';
import { ObservabilityModule } from '@portage/observability';
import { QueuesModule } from '@portage/queues';

const ORGANISATION = 'Demo';
const SUPPLIER = 'DEMO';

@Module({})
class DemoModule {}

/** The demo's access to the API. */
export interface DemoTenant {
  apiKey: string;
  /** The supplier's document root, which the operator can change. */
  documentRoot: string;
}

/**
 * Creates the demo organisation, its supplier and an API key if they do not exist. Idempotent: existing ones are not
 * changed, and the key is stored in `<directory>/demo-api-key`.
 */
export async function prepareDemoTenant(config: Config, directory: string): Promise<DemoTenant> {
  const app = await NestFactory.createApplicationContext(
    {
      module: DemoModule,
      imports: [
        ConfigModule.with({ ...config, LOG_LEVEL: 'silent' }),
        ObservabilityModule,
        DatabaseModule,
        QueuesModule,
        ImportingModule,
      ],
    },
    { logger: false, abortOnError: false },
  );
  try {
    const organisations = app.get(Organisations);
    await ignoreExisting(organisations.create(ORGANISATION));
    const suppliers = app.get(ImportSuppliers);
    await ignoreExisting(suppliers.create(SUPPLIER, ORGANISATION, {}));
    const { documentRoot } = await suppliers.show(SUPPLIER);
    const file = join(directory, 'demo-api-key');
    const storedKey = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (await app.get(ObtainToken).accepts(storedKey)) return { apiKey: storedKey, documentRoot };
    const apiKey = await organisations.issueApiKey(ORGANISATION);
    writeFileSync(file, apiKey, { mode: 0o600 });
    return { apiKey, documentRoot };
  } finally {
    await app.close();
  }
}

/** Ignores the refusal of an organisation or a supplier that exists. */
async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}
