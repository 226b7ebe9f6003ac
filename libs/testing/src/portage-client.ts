import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { account } from './account';
import type { Answer } from './answer';
import { REPOSITORY } from './built-programs';
import { type AnswerDocument, DocumentedAnswers } from './documented-answers';
import { LINES_MEDIA_TYPE } from './documented-routes';
import { exchange } from './exchange';
import { OperatorCommands } from './operator-commands';
import type { CommandResult } from './operator-host';
import { until } from './until';

/** The token that API and worker require at /metrics. */
export const METRICS_TOKEN = 'the-token-of-these-metrics';

const SUBMISSIONS = '/v2/data-import/submissions/';

export const INTENDED_FAILURE = 'intended-failure';

/** The statuses of a process that is queued or running. */
const ACTIVE: readonly string[] = ['PENDING', 'IN_PROGRESS'];

/** The document of the release under test, which each API of a test file serves. */
let documentedAnswers: DocumentedAnswers | undefined;

interface SendOptions {
  body?: unknown;
  headers?: Record<string, string | undefined>;
  baseUrl?: string;
}

/** A supplier's and an operator's access to a running Portage. */
export class PortageClient {
  baseUrl = '';
  apiKey = '';
  token = '';
  private readonly commands: OperatorCommands;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private pool: Pool | undefined;

  constructor(
    readonly databaseUrl: string,
    /** The PORTAGE_DIR of API and worker, where their logs are too. */
    readonly directory: string,
    /** The environment of API, worker and command line. */
    readonly env: NodeJS.ProcessEnv,
    readonly organisation: string,
    readonly supplier: string,
  ) {
    this.commands = new OperatorCommands(env);
  }

  /** A small valid account of the supplier. */
  account(number?: string, more: object = {}): Record<string, unknown> {
    return account(number, { import_supplier: this.supplier, ...more });
  }

  /**
   * An account as one of a supplier of the organisation. References of payment vendors belong to one organisation each, so
   * it gets references of its own.
   */
  own(account: Record<string, unknown>, supplier = this.supplier): Record<string, unknown> {
    const instructions = account['payment_instructions'] as { reference: string }[] | undefined;
    return {
      ...account,
      import_supplier: supplier,
      ...(instructions && {
        payment_instructions: instructions.map((one) => ({
          ...one,
          reference: `${one.reference}-${this.supplier}`,
        })),
      }),
    };
  }

  /** An example account of the contract, as one of the supplier. */
  example(name: string): Record<string, unknown> {
    const file = join(REPOSITORY, 'libs', 'account-schema', 'test', 'examples', `${name}.json`);
    return this.own(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
  }

  /** @returns an API key of the supplier's organisation */
  protected async createSupplier(): Promise<string> {
    await this.operator('organisation', 'create', this.organisation);
    const [{ api_key: apiKey }] = await Promise.all([
      this.operator('api-key', 'issue', '--organisation', this.organisation),
      this.operator('supplier', 'create', this.supplier, '--organisation', this.organisation),
    ]);
    return apiKey as string;
  }

  /** Adds a supplier to the organisation. @returns its code, which ends in the name */
  async addSupplier(name: string, ...options: string[]): Promise<string> {
    const code = `${this.supplier}-${name}`;
    await this.operator('supplier', 'create', code, '--organisation', this.organisation, ...options);
    return code;
  }

  async obtainToken(apiKey: string): Promise<string> {
    const { body } = await this.graphql(
      'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }',
      { input: { APIKey: apiKey } },
    );
    return body.data.obtainPlatformToken.token;
  }

  async graphql(query: string, variables: object): Promise<Answer> {
    return this.send('POST', '/v1/graphql/', {
      body: { query, variables },
      headers: { authorization: undefined },
    });
  }

  async get(path: string, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  async post(path: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    return this.send('POST', path, { body, headers });
  }

  /**
   * Sends a request with the token that its path requires. Text and bytes are sent unmodified, other bodies as JSON.
   *
   * @throws Error if the OpenAPI document does not describe the answer: its status, headers, content type, body or code
   */
  async send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const answer = await this.sendUnchecked(method, path, options);
    await this.compareWithDocument(method, path, answer, options.baseUrl);
    return answer;
  }

  /** Fails the test if the OpenAPI document does not describe the answer of the API. */
  private async compareWithDocument(
    method: string,
    path: string,
    answer: Answer,
    baseUrl = this.baseUrl,
  ): Promise<void> {
    // Workers have health and metrics of their own, which the document does not describe.
    if (baseUrl !== this.baseUrl) return;
    const differences = await this.differencesFromDocument(method, path, answer);
    if (differences.length > 0)
      throw new Error(
        `${method} ${path} was answered with ${answer.status} ${answer.text.slice(0, 500)}: ${differences.join(' ')}`,
      );
  }

  /** The reasons why the OpenAPI document of the release under test does not describe an answer. */
  async differencesFromDocument(method: string, path: string, answer: Answer): Promise<string[]> {
    documentedAnswers ??= await this.readDocument();
    return documentedAnswers?.differences(method, path, answer) ?? [];
  }

  /** Undefined while the API cannot answer; the next answer is compared again. */
  private async readDocument(): Promise<DocumentedAnswers | undefined> {
    try {
      const { status, body } = await this.sendUnchecked('GET', '/openapi.json', {
        headers: { authorization: undefined },
      });
      return status === 200 ? new DocumentedAnswers(body as AnswerDocument) : undefined;
    } catch {
      return undefined;
    }
  }

  private async sendUnchecked(
    method: string,
    path: string,
    { body, headers = {}, baseUrl = this.baseUrl }: SendOptions,
  ): Promise<Answer> {
    const authorization = path.startsWith('/metrics') ? `Bearer ${METRICS_TOKEN}` : `Token ${this.token}`;
    return exchange(method, baseUrl + path, {
      headers: { authorization, ...headers },
      body,
      agent: this.agent,
    });
  }

  /** The value of a metric without labels, or with them in its name. */
  async metric(name: string, baseUrl = this.baseUrl): Promise<number> {
    const { text } = await this.send('GET', '/metrics', { baseUrl });
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    if (line === undefined) throw new Error(`There is no metric ${name}.`);
    return Number(line.slice(name.length));
  }

  /** The names of the supplier and of an account, as requests about an imported account have them. */
  about(number: string): { import_supplier: string; external_account_number: string } {
    return { import_supplier: this.supplier, external_account_number: number };
  }

  /** Schedules an account and waits for its import. @returns the answer to the request */
  async importAccount(number: string, more: object = {}): Promise<Answer> {
    const answer = await this.schedule(this.account(number, more));
    if (answer.status !== 201) throw new Error(`${number} was not scheduled: ${answer.text}`);
    await this.waitForAccount(number, 'PROCESSED');
    return answer;
  }

  async schedule(account: object): Promise<Answer> {
    return this.post('/v2/data-import/accounts/', account);
  }

  async status(identifier: string, supplier = this.supplier): Promise<Answer> {
    const path = [supplier, identifier].map(encodeURIComponent).join('/');
    return this.get(`/v2/data-import/accounts/${path}/`);
  }

  /** Runs an operator's command with --json and returns the parsed output. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read fields of any output
  async operator(...args: string[]): Promise<any> {
    return JSON.parse(await this.commands.run(...args, '--json'));
  }

  /** Runs an operator's command that may fail. */
  async cli(...args: string[]): Promise<CommandResult> {
    return this.commands.try(...args);
  }

  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (!this.pool) {
      this.pool = new Pool({ connectionString: this.databaseUrl, allowExitOnIdle: true });
      // A query reports the error. Without a listener a restart of PostgreSQL would fail the test.
      this.pool.on('error', () => undefined);
    }
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** The number of rows of a table, or of any FROM and what follows it. */
  async countRows(from: string, values?: unknown[]): Promise<number> {
    return (await this.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`, values))[0]!
      .count;
  }

  /** The contents of the Redis database as text; empty on the PostgreSQL backend. */
  async redisContents(): Promise<string> {
    const url = this.env['REDIS_URL'];
    if (!url) return '';
    const redis = new Redis(url);
    try {
      const contents: unknown[] = [];
      for (const key of await redis.keys('*')) {
        const type = await redis.type(key);
        if (type === 'string') contents.push([key, await redis.get(key)]);
        else if (type === 'hash') contents.push([key, await redis.hgetall(key)]);
        else if (type === 'list') contents.push([key, await redis.lrange(key, 0, -1)]);
        else if (type === 'set') contents.push([key, await redis.smembers(key)]);
        else if (type === 'zset') contents.push([key, await redis.zrange(key, 0, -1)]);
        else contents.push([key, await redis.xrange(key, '-', '+')]);
      }
      return JSON.stringify(contents);
    } finally {
      redis.disconnect();
    }
  }

  /**
   * Waits until the process of one account has the status. Fails with the last answer, at once if the process has ended
   * otherwise.
   *
   * @param after the present status, if a change of it has been requested
   */
  async waitForAccount(
    identifier: string,
    status: string,
    { supplier, after, milliseconds }: { supplier?: string; after?: string; milliseconds?: number } = {},
  ): Promise<void> {
    let answer: Answer | undefined;
    await until(
      async () => {
        answer = await this.status(identifier, supplier);
        const found = answer.body.status as string | undefined;
        if (found === status) return true;
        return found !== undefined && found !== after && !ACTIVE.includes(found) ? 'never' : false;
      },
      () => `${identifier} is not ${status}: ${answer?.text}`,
      milliseconds,
    );
  }

  /**
   * Waits until `count` processes of the organisation have the status. Fails with the counts of all statuses, at once if
   * so many have ended and none is queued or running.
   */
  async waitFor(status: string, count: number, milliseconds?: number): Promise<void> {
    let counts: { status: string; count: number }[] = [];
    const sum = (all: typeof counts) => all.reduce((total, one) => total + one.count, 0);
    await until(
      async () => {
        counts = await this.sql(
          `SELECT status, count(*)::int AS count FROM import_process
           WHERE supplier_id IN (SELECT supplier.id FROM import_supplier supplier
             JOIN organisation ON organisation.id = organisation_id WHERE organisation.name = $1)
           GROUP BY status`,
          [this.organisation],
        );
        if (counts.find((one) => one.status === status)?.count === count) return true;
        const ended = counts.filter((one) => !ACTIVE.includes(one.status));
        return ended.length === counts.length && sum(ended) >= count ? 'never' : false;
      },
      () => `waited for ${count} ${status}, found ${JSON.stringify(counts)}`,
      milliseconds,
    );
  }

  /** Opens a submission of the supplier. @returns its id */
  async openSubmission(reference: string, more: object = {}): Promise<string> {
    const body = { import_supplier: this.supplier, reference, ...more };
    return (await this.post(SUBMISSIONS, body)).body.id as string;
  }

  /** Uploads lines to a submission: objects as JSON, one a line; text and bytes unmodified. */
  async upload(
    id: string,
    lines: string | Buffer | readonly object[],
    headers: Record<string, string> = {},
    kind: 'accounts' | 'additions' = 'accounts',
  ): Promise<Answer> {
    const body =
      typeof lines === 'string' || Buffer.isBuffer(lines)
        ? lines
        : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    return this.post(`${SUBMISSIONS}${id}/${kind}/`, body, { 'content-type': LINES_MEDIA_TYPE, ...headers });
  }

  async completeSubmission(id: string): Promise<Answer> {
    return this.send('POST', `${SUBMISSIONS}${id}/complete/`);
  }

  /** The rows of the results of a submission. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read fields of any row
  async results(id: string, query = ''): Promise<any[]> {
    const { text } = await this.get(`${SUBMISSIONS}${id}/results/${query}`);
    const rows = text.split('\n').filter((row) => row !== '');
    return rows.map((row) => JSON.parse(row) as unknown);
  }

  /** Waits until a submission has finished. Fails with the last answer, at once if it was aborted. */
  async waitForSubmission(id: string): Promise<Answer> {
    let answer: Answer | undefined;
    await until(
      async () => {
        answer = await this.get(`${SUBMISSIONS}${id}/`);
        return answer.body.status === 'ABORTED' ? 'never' : answer.body.status === 'FINISHED';
      },
      () => `${id} is not FINISHED: ${answer?.text}`,
    );
    return answer!;
  }

  /** The log of all processes of a part so far. */
  log(part: 'api' | 'worker'): string {
    return readdirSync(this.directory)
      .filter((name) => name.startsWith(`${part}-`) && name.endsWith('.log'))
      .map((name) => readFileSync(join(this.directory, name), 'utf8'))
      .join('');
  }

  /**
   * The lines of the API's log on requests that failed with an internal error. A test that causes one on purpose sends
   * a request id that starts with {@link INTENDED_FAILURE}; those lines are left out.
   */
  failedRequests(): string[] {
    return this.log('api')
      .split('\n')
      .filter((line) => /A request failed\.|A list response was aborted\./.test(line))
      .filter((line) => !line.includes(`"requestId":"${INTENDED_FAILURE}`));
  }

  /** Closes connections and ends processes of the client. */
  protected async disconnect(): Promise<void> {
    this.agent.destroy();
    await this.pool?.end();
    await this.commands.stop();
  }
}
