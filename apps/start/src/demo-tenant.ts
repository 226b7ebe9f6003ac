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

export interface DemoTenant {
  apiKey: string;
  /** Of the supplier, whom the operator may have changed since. */
  documentRoot: string;
}

/**
 * Sees to it that the demo organisation, its supplier and a valid key exist. Safe to repeat: what is there is left as
 * it is, and the key is kept in `<directory>/demo-api-key`.
 */
export async function demoTenant(config: Config, directory: string): Promise<DemoTenant> {
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
    await unlessItExists(organisations.create(ORGANISATION));
    const suppliers = app.get(ImportSuppliers);
    await unlessItExists(suppliers.create(SUPPLIER, ORGANISATION, {}));
    const { documentRoot } = await suppliers.show(SUPPLIER);
    const file = join(directory, 'demo-api-key');
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (await app.get(ObtainToken).accepts(kept)) return { apiKey: kept, documentRoot };
    const apiKey = await organisations.issueApiKey(ORGANISATION);
    writeFileSync(file, apiKey, { mode: 0o600 });
    return { apiKey, documentRoot };
  } finally {
    await app.close();
  }
}

async function unlessItExists(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}
