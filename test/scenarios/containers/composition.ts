import { PortageClient } from '@portage/testing';
import type { CalledApi } from '@portage/testing/promises';
import { importSampleBook } from '../sample-book';
import { addressOf, attempt, compose, containersOf, docker, stop, untilHealthy } from './engine';

const READY_TIMEOUT_S = 300;

/** docker-compose.yml with two API instances and two workers, and an operator's and a supplier's access to them. */
export class Composition extends PortageClient {
  apis: CalledApi[] = [];

  static async start(): Promise<Composition> {
    await compose('up', '--detach', '--wait', '--wait-timeout', String(READY_TIMEOUT_S));
    const { stdout } = await compose('run', '--rm', 'secrets', '--print', 'POSTGRES_OWNER_PASSWORD');
    const address = await addressOf((await containersOf('postgres'))[0]!);
    const databaseUrl = `postgres://portage:${stdout.trim()}@${address}:5432/portage`;
    const composition = new Composition(databaseUrl, '', {}, 'Demo', 'LEGACY');
    for (const container of await containersOf('api'))
      composition.apis.push({ name: container, baseUrl: await baseUrlOf(container) });
    composition.baseUrl = composition.apis[0]!.baseUrl;
    return composition;
  }

  /** Imports the sample book with the importer's container, and adds a supplier of small accounts. */
  async importSampleBook(): Promise<void> {
    this.apiKey = await importSampleBook(this, async (key) => {
      const options = ['--base-url', 'http://api:3000', '--file', '/examples/book.ndjson'];
      const { status, stdout, stderr } = await attempt(
        compose('run', '--rm', '--env', `PORTAGE_API_KEY=${key}`, 'import-book', ...options),
      );
      return { status, output: stdout + stderr };
    });
    await this.operator('supplier', 'create', this.supplier, '--organisation', this.organisation);
    this.token = await this.obtainToken(this.apiKey);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as in PortageClient
  override async operator(...args: string[]): Promise<any> {
    return JSON.parse((await compose('run', '--rm', '--no-deps', 'cli', ...args, '--json')).stdout);
  }

  /** Stops a program, and starts it again. @returns the new address of an API */
  async restart(container: string): Promise<CalledApi | undefined> {
    await stop(container);
    await docker('start', container);
    const index = this.apis.findIndex(({ name }) => name === container);
    if (index < 0) await untilHealthy(container);
    else this.apis[index] = { name: container, baseUrl: await baseUrlOf(container) };
    return this.apis[index];
  }

  async stop(): Promise<void> {
    await this.disconnect();
  }
}

async function baseUrlOf(container: string): Promise<string> {
  return `http://${await addressOf(container)}:3000`;
}
