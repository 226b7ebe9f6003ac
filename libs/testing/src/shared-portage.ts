import { randomBytes } from 'node:crypto';
import { PortageClient } from './portage-client';
import { type SharedName, SharedServices } from './shared-services';

/** A tenant for one test file: an organisation, an API key and a supplier of its own on services that suites share. */
export class SharedPortage extends PortageClient {
  /** Health and metrics of one of the workers. */
  workerUrl = '';

  /** @param env of the tenant's commands of the operator, such as PORTAGE_OPERATOR */
  static async join(name: SharedName, env: NodeJS.ProcessEnv = {}): Promise<SharedPortage> {
    const address = SharedServices.address(name);
    const id = randomBytes(4).toString('hex');
    const { databaseUrl, directory } = address;
    const commandEnv = { ...address.env, ...env };
    const portage = new SharedPortage(databaseUrl, directory, commandEnv, `Tenant ${id} Ltd`, `T-${id}`);
    portage.baseUrl = address.baseUrl;
    portage.workerUrl = address.workerUrl;
    portage.apiKey = await portage.createSupplier();
    portage.token = await portage.obtainToken(portage.apiKey);
    return portage;
  }

  /**
   * Joins before the cases of the file or block that calls this, and leaves after them. Fails if a request of any suite
   * has failed with an internal error, unless the suite has caused it on purpose.
   */
  static use(name: SharedName, env?: NodeJS.ProcessEnv): SharedPortage {
    const portage = Object.create(SharedPortage.prototype) as SharedPortage;
    beforeAll(async () => {
      Object.assign(portage, await SharedPortage.join(name, env));
    });
    afterAll(async () => {
      await portage.leave();
      expect(portage.failedRequests()).toEqual([]);
    });
    return portage;
  }

  async leave(): Promise<void> {
    await this.disconnect();
  }
}
