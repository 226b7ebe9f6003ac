import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountsModule } from '@portage/accounts';
import { EventsModule } from '@portage/events';
import { ImportsModule } from '@portage/imports';
import { Operators, OperatorsModule } from '@portage/operators';
import {
  type Config,
  ConfigModule,
  ObservabilityModule,
  PlatformModule,
  PortageError,
} from '@portage/platform';
import { SubmissionsModule } from '@portage/submissions';
import {
  ImportSupplierRepository,
  ImportSuppliers,
  ObtainToken,
  Organisations,
  TenantsModule,
} from '@portage/tenants';
import { SAMPLE } from './sample';

const ORGANISATION = 'Demo';
/** The first operator of the console. */
const ADMIN = 'admin';

@Module({})
class DemoModule {}

/** The demo's access to the API. */
export interface DemoTenant {
  /** Of the organisation, for both suppliers. */
  apiKey: string;
  /** The document roots of the suppliers by their codes. The operator can change them. */
  documentRoots: ReadonlyMap<string, string>;
  admin: {
    name: string;
    /** Undefined once the operator has chosen a password. */
    oneTimePassword: string | undefined;
  };
}

/**
 * Creates the demo organisation, its suppliers and an API key if they do not exist. Idempotent: existing ones are not
 * changed, and the key is stored in `<directory>/demo-api-key`. The first operator gets another one-time password until
 * the operator has chosen a password.
 */
export async function prepareDemoTenant(config: Config, directory: string): Promise<DemoTenant> {
  const app = await NestFactory.createApplicationContext(
    {
      module: DemoModule,
      imports: [
        ConfigModule.with({ ...config, LOG_LEVEL: 'silent' }),
        ObservabilityModule,
        PlatformModule,
        TenantsModule,
        AccountsModule,
        ImportsModule,
        SubmissionsModule,
        EventsModule,
        OperatorsModule,
      ],
    },
    { logger: false, abortOnError: false },
  );
  try {
    const organisations = app.get(Organisations);
    await ignoreExisting(organisations.create(ORGANISATION));
    const documentRoots = new Map<string, string>();
    for (const { supplier, profile } of SAMPLE) {
      await ignoreExisting(app.get(ImportSuppliers).create(supplier, ORGANISATION, { profile }));
      const { documentRoot } = await app.get(ImportSupplierRepository).requireByCode(supplier);
      documentRoots.set(supplier, documentRoot);
    }
    const admin = { name: ADMIN, oneTimePassword: await prepareAdmin(app.get(Operators)) };
    const file = join(directory, 'demo-api-key');
    const storedKey = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (await app.get(ObtainToken).accepts(storedKey)) return { apiKey: storedKey, documentRoots, admin };
    const apiKey = await organisations.issueApiKey(ORGANISATION);
    writeFileSync(file, apiKey, { mode: 0o600 });
    return { apiKey, documentRoots, admin };
  } finally {
    await app.close();
  }
}

async function prepareAdmin(operators: Operators): Promise<string | undefined> {
  const admin = await operators.find(ADMIN);
  if (!admin) return (await operators.create(ADMIN, 'admin')).one_time_password;
  if (!admin.must_change_password || admin.is_disabled) return undefined;
  return (await operators.resetPassword(ADMIN)).one_time_password;
}

/** Ignores the refusal of an organisation or a supplier that exists. */
async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof PortageError && error.code === 'operation_refused')) throw error;
  });
}
