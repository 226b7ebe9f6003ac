import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { account } from '@portage/testing';
import type { Call, Operation } from './history';

/** A client gives up one call after this time. */
const CALL_TIMEOUT_MS = 60_000;
const RETRY_MS = 250;
const SUBMISSIONS = '/v2/data-import/submissions/';
const POLL_MS = 500;

/** The states of v1 in the terms of v2; its other states say nothing. */
const TRANSFER_STATES: Readonly<Record<string, string>> = { COMPLETED: 'PROCESSED' };

/** An API that clients call. */
export interface CalledInstance {
  name: string;
  baseUrl: string;
}

/** The service that clients use. */
export interface Service {
  /** The instances that get requests. */
  readonly apis: readonly CalledInstance[];
  readonly supplier: string;
  readonly token: string;
}

interface Request {
  operation: Operation;
  method: 'GET' | 'POST';
  path: string;
  /** Text is sent as lines. */
  body?: object | string;
  item?: string;
}

/** What clients of one run do. */
export interface Load {
  /** Prefix of the external account numbers. */
  key: string;
  accountsPerSecond: number;
  seconds: number;
  /** The seconds from now at which the schedule window of every account opens; undefined for no window. */
  windowSeconds?: number;
}

/**
 * Clients that send accounts at a steady rate to API instances chosen at random, follow each account at other instances
 * until it is imported, then add transactions and a note to it; and repeat what got no answer or 5xx. Every call is
 * recorded.
 */
export class Clients {
  readonly calls: Call[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 200 });
  private readonly work: Promise<void>[] = [];
  private submission = '';
  private isStopped = false;
  private isEnding = false;

  constructor(
    private readonly environment: Service,
    private readonly load: Load,
    private readonly random: () => number,
  ) {}

  /** Sends the accounts at their rate. Ends when the last one has been sent for the first time. */
  async send(): Promise<void> {
    const { accountsPerSecond, seconds, key } = this.load;
    const count = Math.round(accountsPerSecond * seconds);
    const startedAt = performance.now();
    for (let index = 0; index < count && !this.isEnding; index += 1) {
      const waitMs = startedAt + (index * 1_000) / accountsPerSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      this.work.push(this.follow(`${key}-${index}`));
    }
  }

  /** Sends no further accounts. */
  end(): void {
    this.isEnding = true;
  }

  /** Waits until every account that was sent has been followed to its end; false after `timeoutMs`. */
  async finish(timeoutMs: number): Promise<boolean> {
    const timer = new AbortController();
    const timeout = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false);
    const isFinished = await Promise.race([Promise.all(this.work).then(() => true), timeout]);
    timer.abort();
    this.isStopped = true;
    if (!isFinished) this.agent.destroy();
    await Promise.all(this.work);
    this.agent.destroy();
    return isFinished;
  }

  /** Sends nothing more, and repeats nothing. */
  stop(): void {
    this.isEnding = true;
    this.isStopped = true;
    this.agent.destroy();
  }

  /** Opens a submission. Its lines are sent with {@link sendLines}. */
  async openSubmission(): Promise<void> {
    const body = { import_supplier: this.environment.supplier, reference: `${this.load.key}-book` };
    const request: Request = { operation: 'submission', method: 'POST', path: SUBMISSIONS, body };
    const { body: opened } = await this.exchange(this.environment.apis[0]!, request, CALL_TIMEOUT_MS);
    this.submission = (opened as { id: string }).id;
  }

  /** Uploads lines to the submission, repeats the upload until it is answered, and completes the submission. */
  sendLines(count: number): void {
    const names = Array.from({ length: count }, (_, index) => `${this.load.key}-line-${index}`);
    const lines = names.map((name) => `${JSON.stringify(account(name))}\n`).join('');
    const path = `${SUBMISSIONS}${this.submission}/`;
    const send = async () => {
      const upload: Request = {
        operation: 'submission',
        method: 'POST',
        path: `${path}accounts/`,
        body: lines,
      };
      const answered = await this.repeat('submission', upload);
      if (answered?.status !== 200) return;
      // The upload is the confirmation of each of its lines.
      for (const name of names)
        this.calls.push({ ...answered, operation: 'schedule', account: name, status: 201 });
      await this.repeat('submission', { ...upload, path: `${path}complete/`, body: {} });
      await Promise.all(names.map(async (name) => this.awaitImport(name)));
    };
    this.work.push(send());
  }

  /** The outcome of each line of the submission, as one API instance shows it. */
  async results(instance: CalledInstance): Promise<unknown> {
    const path = `${SUBMISSIONS}${this.submission}/results/`;
    return this.read(instance, path);
  }

  /** The body of an answer, which is not recorded. */
  async read(instance: CalledInstance, path: string): Promise<unknown> {
    const { status, body } = await this.exchange(
      instance,
      { operation: 'list', method: 'GET', path },
      CALL_TIMEOUT_MS,
    );
    if (status !== 200) throw new Error(`${path} at ${instance.name} was answered with ${status}.`);
    return body;
  }

  /** Sends one request, and records it. */
  private async call(instance: CalledInstance, name: string, request: Request): Promise<Call> {
    const call = await this.probe(instance, name, request, CALL_TIMEOUT_MS);
    this.calls.push(call);
    return call;
  }

  /** Sends one request. */
  async probe(instance: CalledInstance, name: string, request: Request, timeoutMs: number): Promise<Call> {
    const { operation, item } = request;
    const startedAt = performance.now();
    const { status, body } = await this.exchange(instance, request, timeoutMs);
    return {
      operation,
      instance: instance.name,
      account: name,
      startedAt,
      endedAt: performance.now(),
      status,
      ...codeOf(body),
      ...(status === 200 && seenIn(operation, body)),
      ...(item !== undefined && { item }),
    };
  }

  /** The path of the status of an account. */
  statusOf(name: string): Request {
    const path = `/v2/data-import/accounts/${this.environment.supplier}/${name}/`;
    return { operation: 'status', method: 'GET', path };
  }

  private async follow(name: string): Promise<void> {
    const { supplier } = this.environment;
    const { windowSeconds } = this.load;
    const about = { import_supplier: supplier, external_account_number: name };
    const task = windowSeconds !== undefined && {
      task_params: { schedule_window_start: new Date(Date.now() + windowSeconds * 1_000).toISOString() },
    };
    const body = task ? { payload: account(name), ...task } : account(name);
    const path = '/v2/data-import/accounts/';
    await this.repeat(name, { operation: 'schedule', method: 'POST', path, body });
    if (!(await this.awaitImport(name))) return;
    await this.repeat(name, {
      operation: 'transfer-status',
      method: 'GET',
      path: `/v1/data-import/account-transfer-status/${supplier}/${name}/`,
    });
    const transaction = {
      transaction_id: `${name}-T`,
      transaction_date: '2026-01-15',
      type: 'CHARGE',
      reason: 'IMPORTED_CHARGE',
      amount: 12.5,
    };
    await Promise.all([
      this.repeat(name, {
        operation: 'transactions',
        method: 'POST',
        path: '/v1/data-import/transactions/create/',
        body: { ...about, transactions: [transaction] },
        item: transaction.transaction_id,
      }),
      this.repeat(name, {
        operation: 'note',
        method: 'POST',
        path: '/v1/data-import/notes/create/',
        body: { ...about, notes: [{ body: `Note ${name}` }] },
        item: `Note ${name}`,
      }),
    ]);
  }

  private async awaitImport(name: string): Promise<boolean> {
    while (!this.isStopped) {
      const { seen } = await this.call(this.anyApi(), name, this.statusOf(name));
      if (seen === 'PROCESSED') return true;
      if (seen !== undefined && seen !== 'PENDING' && seen !== 'IN_PROGRESS') return false;
      await sleep(POLL_MS * (0.5 + this.random()));
    }
    return false;
  }

  /** Repeats a request until it is answered; undefined if the clients were stopped before. */
  private async repeat(name: string, request: Request): Promise<Call | undefined> {
    while (!this.isStopped) {
      const call = await this.call(this.anyApi(), name, request);
      if (call.status > 0 && call.status < 500 && call.status !== 429) return call;
      await sleep(RETRY_MS * (0.5 + this.random()));
    }
    return undefined;
  }

  private anyApi(): CalledInstance {
    const { apis } = this.environment;
    return apis[Math.floor(this.random() * apis.length)]!;
  }

  private async exchange(
    { baseUrl }: CalledInstance,
    { method, path, body }: Request,
    timeoutMs: number,
  ): Promise<{ status: number; body?: unknown }> {
    const isLines = typeof body === 'string';
    const sent = body === undefined || isLines ? body : JSON.stringify(body);
    const headers = {
      authorization: `Token ${this.environment.token}`,
      ...(sent && {
        'content-type': isLines ? 'application/x-ndjson' : 'application/json',
        'content-length': Buffer.byteLength(sent),
      }),
    };
    return new Promise((resolve) => {
      const request = httpRequest(baseUrl + path, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => {
          resolve({ status: 0 });
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) });
        });
      });
      const timer = setTimeout(() => request.destroy(), timeoutMs);
      request.on('close', () => {
        clearTimeout(timer);
        resolve({ status: 0 });
      });
      request.on('error', () => undefined);
      request.end(sent);
    });
  }
}

/** Parses JSON, or lines of JSON. */
function parse(text: string): unknown {
  for (const json of [text, `[${text.trim().split('\n').join(',')}]`])
    try {
      return JSON.parse(json) as unknown;
    } catch {
      // The next form.
    }
  return undefined;
}

interface ErrorBody {
  code?: string;
  non_field_errors?: { code?: string };
}

function codeOf(body: unknown): { code?: string } {
  const { code, non_field_errors: general } = (body ?? {}) as ErrorBody;
  const found = code ?? general?.code;
  return typeof found === 'string' ? { code: found } : {};
}

function seenIn(operation: Operation, body: unknown): Pick<Call, 'seen' | 'accountNumber'> {
  const {
    status,
    platform_identifier: inV2,
    platform_account_number: inV1,
  } = (body ?? {}) as {
    status?: string;
    platform_identifier?: string | null;
    platform_account_number?: string;
  };
  const number = inV2 ?? inV1;
  const seen = operation === 'transfer-status' ? TRANSFER_STATES[status ?? ''] : status;
  return {
    ...((operation === 'status' || operation === 'transfer-status') && seen !== undefined && { seen }),
    ...(number && { accountNumber: number }),
  };
}
