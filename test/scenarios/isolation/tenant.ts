import { type Installation, PortageClient } from '@portage/testing';

/** A supplier of an organisation of its own, on the services of a test. */
export class Tenant extends PortageClient {
  static async join(portage: Installation, name: string): Promise<Tenant> {
    const { databaseUrl, directory, env, baseUrl } = portage;
    const tenant = new Tenant(databaseUrl, directory, env, `${name} Ltd`, name.toUpperCase());
    tenant.baseUrl = baseUrl;
    tenant.apiKey = await tenant.createSupplier();
    tenant.token = await tenant.obtainToken(tenant.apiKey);
    await tenant.operator('supplier', 'set', tenant.supplier, '--document-root', name);
    return tenant;
  }

  /** Imports accounts with these numbers. */
  async importAccounts(numbers: readonly string[]): Promise<void> {
    for (const number of numbers) {
      const { status, text } = await this.schedule(this.account(number));
      if (status !== 201) throw new Error(`${number} was answered with ${status}: ${text}`);
    }
    await this.waitFor('PROCESSED', numbers.length, 60_000);
  }

  async leave(): Promise<void> {
    await this.disconnect();
  }
}
