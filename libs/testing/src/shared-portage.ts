import { randomBytes } from 'node:crypto';
import type { TestedBackend } from './backends';
import { PortageClient } from './portage-client';
import { SharedServices } from './shared-services';

/** A tenant for one test file: an organisation, an API key and a supplier of its own on services that suites share. */
export class SharedPortage extends PortageClient {
  static async join(backend: TestedBackend): Promise<SharedPortage> {
    const { baseUrl, databaseUrl, directory, env } = SharedServices.address(backend);
    const id = randomBytes(4).toString('hex');
    const portage = new SharedPortage(databaseUrl, directory, env, `Tenant ${id} Ltd`, `T-${id}`);
    portage.baseUrl = baseUrl;
    portage.apiKey = await portage.createSupplier();
    portage.token = await portage.obtainToken(portage.apiKey);
    return portage;
  }

  async leave(): Promise<void> {
    await this.disconnect();
  }
}
