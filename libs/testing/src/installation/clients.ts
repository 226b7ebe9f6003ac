import { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../answer';
import { exchange } from '../exchange';
import { until } from '../until';
import { ALREADY_IMPORTED, type Call, isUnanswered, type Operation } from './history';

/** A client gives up one call after this time. */
const CALL_TIMEOUT_MS = 60_000;
/** The time for which one request is repeated. */
const REPEAT_TIMEOUT_MS = 180_000;
const RETRY_MS = 200;
const POLL_MS = 500;
const ACCOUNTS = '/v2/data-import/accounts/';
const UNANSWERED: Answer = { status: 0, headers: {}, body: undefined, text: '', bytes: Buffer.alloc(0) };

/** The states of v1 in the terms of v2; its other states say nothing. */
const TRANSFER_STATES: Readonly<Record<string, string>> = { COMPLETED: 'PROCESSED' };

/** An API that clients call. */
export interface CalledApi {
  name: string;
  baseUrl: string;
}

/** The service that clients use. */
export interface Service {
  /** The instances that get requests. */
  readonly apis: readonly CalledApi[];
  readonly supplier: string;
  readonly token: string;
  /** Compares an answer with the OpenAPI document of the release under test. */
  differencesFromDocument?(method: string, path: string, answer: Answer): Promise<string[]>;
}

/** A service whose database can be read. */
export interface ReadableService extends Service {
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** External account numbers and the bodies of accounts, in the order of sending. */
export type Book = Iterable<readonly [number: string, body: object]>;

export interface ClientRequest {
  operation: Operation;
  method: 'GET' | 'POST';
  path: string;
  /** Lines are streamed. */
  body?: object | (() => AsyncIterable<string>);
  item?: string;
}

interface ClientOptions {
  random: () => number;
  /** Codes of refusals that are no violation. */
  refusals?: readonly string[];
}

/**
 * Clients of a supplier. They send requests to API instances chosen at random, repeat what got no answer, 429 or 5xx, and
 * record every call.
 */
export class Clients {
  readonly calls: Call[] = [];
  /** Answered with 201, or with `already imported` after an earlier answer was lost. */
  readonly accepted = new Set<string>();
  /** Refused with one of the expected codes. */
  readonly refused = new Set<string>();
  /** Posted more than once, because a request broke off or was answered with 5xx. */
  readonly retried = new Set<string>();
  /** Answers that a supplier must not get. */
  readonly unexpected: string[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 200 });
  private readonly work: Promise<void>[] = [];
  private allowed = Infinity;
  private isStopped = false;
  private isEnding = false;

  constructor(
    readonly service: Service,
    private readonly options: ClientOptions,
  ) {}

  get random(): () => number {
    return this.options.random;
  }

  /** True if nothing more is to be sent or repeated. */
  get isOver(): boolean {
    return this.isStopped;
  }

  /** Allows {@link post} and uploads to send the first `count` accounts of their book. Default: all. */
  allow(count: number): void {
    this.allowed = Math.ceil(count);
  }

  /** Waits until one more account than `sent` is allowed. */
  async untilAllowed(sent: () => number): Promise<void> {
    while (sent() >= this.allowed && !this.isStopped) await sleep(5);
  }

  get answered(): number {
    return this.accepted.size + this.refused.size;
  }

  /** @throws Error at the first answer that a supplier must not get */
  async waitForAnswers(count: number, answered = () => this.answered): Promise<void> {
    await until(
      () => answered() >= count || this.unexpected.length > 0,
      () => `${answered()} of ${count} accounts were answered; ${this.summary()}`,
      REPEAT_TIMEOUT_MS,
    );
    if (this.unexpected.length > 0) throw new Error(this.unexpected.slice(0, 5).join('\n'));
  }

  /** Posts a book over a number of connections. */
  async post(book: Book, connections: number): Promise<void> {
    const entries = book[Symbol.iterator]();
    let started = 0;
    const connection = async (): Promise<void> => {
      for (let next = entries.next(); !next.done; next = entries.next()) {
        const before = started++;
        await this.untilAllowed(() => before);
        if (this.isStopped) return;
        await this.schedule(...next.value);
      }
    };
    await Promise.all(Array.from({ length: connections }, connection));
  }

  /**
   * Posts a book at a steady rate, follows each account until it is imported, and then adds a transaction and a note to
   * it. Ends when the last account was posted for the first time; {@link finish} waits for the rest.
   *
   * @param windowSeconds the seconds from the POST at which the schedule window of an account opens
   */
  async postAtRate(book: Book, perSecond: number, windowSeconds?: number): Promise<void> {
    const startedAt = performance.now();
    let index = 0;
    for (const [number, body] of book) {
      const waitMs = startedAt + (index++ * 1_000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      if (this.isEnding) return;
      this.work.push(this.follow(number, body, windowSeconds));
    }
  }

  /** Adds work that {@link finish} waits for. */
  add(work: Promise<void>): void {
    this.work.push(work);
  }

  /** Starts no further accounts. */
  end(): void {
    this.isEnding = true;
  }

  /** Waits until all work has ended; false after `timeoutMs`. */
  async finish(timeoutMs: number): Promise<boolean> {
    const timer = new AbortController();
    const timeout = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false);
    const isFinished = await Promise.race([Promise.all(this.work).then(() => true), timeout]);
    timer.abort();
    this.isStopped = true;
    if (!isFinished) this.agent.destroy();
    await Promise.all(this.work);
    return isFinished;
  }

  /** Sends nothing more, and repeats nothing. */
  stop(): void {
    this.isEnding = true;
    this.isStopped = true;
    this.agent.destroy();
  }

  summary(): string {
    const { accepted, refused, retried, calls } = this;
    return `${calls.length} calls, ${accepted.size} accepted, ${refused.size} refused, ${retried.size} posted again`;
  }

  /** Reads something at one API, which is not recorded. */
  async get(api: CalledApi, path: string): Promise<Answer> {
    return this.exchange(api, { operation: 'list', method: 'GET', path }, CALL_TIMEOUT_MS);
  }

  /** The body of an answer, which is not recorded. @throws Error unless it is 200 */
  async read(api: CalledApi, path: string): Promise<unknown> {
    const { status, body } = await this.get(api, path);
    if (status !== 200) throw new Error(`${path} at ${api.name} was answered with ${status}.`);
    return body;
  }

  /** Sends a request that opens something, to the first API. */
  async open(request: ClientRequest): Promise<{ status: number; text: string; opened: { id: string } }> {
    const { status, text, body } = await this.exchange(this.service.apis[0]!, request, CALL_TIMEOUT_MS);
    return { status, text, opened: body as { id: string } };
  }

  /** Sends one request, which is not recorded. */
  async probe(api: CalledApi, account: string, request: ClientRequest, timeoutMs: number): Promise<Call> {
    const { operation, item } = request;
    const startedAt = performance.now();
    const { status, body, text } = await this.exchange(api, request, timeoutMs);
    return {
      operation,
      instance: api.name,
      account,
      startedAt,
      endedAt: performance.now(),
      status,
      ...(status >= 400 && { text: text.slice(0, 300) }),
      ...codeOf(body),
      ...(status === 200 && seenIn(operation, body)),
      ...(item !== undefined && { item }),
    };
  }

  /** The request for the status of an account. */
  statusOf(number: string): ClientRequest {
    return { operation: 'status', method: 'GET', path: `${ACCOUNTS}${this.service.supplier}/${number}/` };
  }

  /** Reads the status of an account until it is imported. @returns false for another end */
  async awaitImport(number: string): Promise<boolean> {
    while (!this.isStopped) {
      const { seen } = await this.call(number, this.statusOf(number));
      if (seen === 'PROCESSED') return true;
      if (seen !== undefined && seen !== 'PENDING' && seen !== 'IN_PROGRESS') return false;
      await sleep(POLL_MS * (0.5 + this.random()));
    }
    return false;
  }

  /** Repeats a request until it is answered; undefined if the clients were stopped before. */
  async repeat(
    account: string,
    request: ClientRequest,
    onFailure: () => void = () => undefined,
  ): Promise<Call | undefined> {
    const deadline = performance.now() + REPEAT_TIMEOUT_MS;
    while (!this.isStopped) {
      const call = await this.call(account, request);
      if (!isUnanswered(call)) return call;
      onFailure();
      if (request.operation === 'schedule') this.retried.add(account);
      if (performance.now() > deadline) {
        this.reportUnexpected(`${request.operation} ${account} got no answer in time; ${this.summary()}`);
        break;
      }
      await sleep(RETRY_MS * (0.5 + this.random()));
    }
    return undefined;
  }

  reportUnexpected(description: string): void {
    this.unexpected.push(description);
    this.isEnding = true;
    this.isStopped = true;
  }

  private async schedule(number: string, body: object): Promise<void> {
    const request: ClientRequest = { operation: 'schedule', method: 'POST', path: ACCOUNTS, body };
    const first = this.calls.length;
    const answered = await this.repeat(number, request);
    if (!answered) return;
    const attempts = this.calls.slice(first).filter(({ account }) => account === number).length;
    const { status, code } = answered;
    if (status === 201 || (code === ALREADY_IMPORTED && attempts > 1)) this.accepted.add(number);
    else if (code !== undefined && this.options.refusals?.includes(code)) this.refused.add(number);
    else this.reportUnexpected(`${number}, attempt ${attempts}: ${status} ${answered.text ?? ''}`);
  }

  private async follow(number: string, body: object, windowSeconds?: number): Promise<void> {
    const { supplier } = this.service;
    const opensAt = windowSeconds !== undefined && new Date(Date.now() + windowSeconds * 1_000).toISOString();
    await this.schedule(
      number,
      opensAt ? { payload: body, task_params: { schedule_window_start: opensAt } } : body,
    );
    if (!(await this.awaitImport(number))) return;
    const about = { import_supplier: supplier, external_account_number: number };
    const transaction = {
      transaction_id: `${number}-T`,
      transaction_date: '2026-01-15',
      type: 'CHARGE',
      reason: 'IMPORTED_CHARGE',
      amount: 12.5,
    };
    await this.repeat(number, {
      operation: 'transfer-status',
      method: 'GET',
      path: `/v1/data-import/account-transfer-status/${supplier}/${number}/`,
    });
    await Promise.all([
      this.repeat(number, {
        operation: 'transactions',
        method: 'POST',
        path: '/v1/data-import/transactions/create/',
        body: { ...about, transactions: [transaction] },
        item: transaction.transaction_id,
      }),
      this.repeat(number, {
        operation: 'note',
        method: 'POST',
        path: '/v1/data-import/notes/create/',
        body: { ...about, notes: [{ body: `Note ${number}` }] },
        item: `Note ${number}`,
      }),
    ]);
  }

  /** Sends one request to any API, and records it. */
  private async call(account: string, request: ClientRequest): Promise<Call> {
    const { apis } = this.service;
    const api = apis[Math.floor(this.random() * apis.length)]!;
    const call = await this.probe(api, account, request, CALL_TIMEOUT_MS);
    this.calls.push(call);
    return call;
  }

  private async exchange(
    { baseUrl }: CalledApi,
    { method, path, body }: ClientRequest,
    timeoutMs: number,
  ): Promise<Answer> {
    const lines = typeof body === 'function' ? Readable.from(body()) : undefined;
    const answer = await exchange(method, baseUrl + path, {
      headers: {
        authorization: `Token ${this.service.token}`,
        ...(lines && { 'content-type': 'application/x-ndjson' }),
      },
      body: lines ?? body,
      agent: this.agent,
      // An upload takes as long as it has lines.
      ...(lines ? { timeoutMs: 0 } : { signal: AbortSignal.timeout(timeoutMs) }),
    }).catch(() => UNANSWERED);
    const read = { ...answer, body: (answer.body as unknown) ?? parseLines(answer.text) };
    // Workers have health of their own, which the document does not describe.
    if (answer.status > 0 && this.service.apis.some((api) => api.baseUrl === baseUrl))
      for (const difference of (await this.service.differencesFromDocument?.(method, path, read)) ?? [])
        this.reportUnexpected(`${method} ${path} was answered with ${answer.status}: ${difference}`);
    return read;
  }
}

/** Parses lines of JSON; undefined if the text is anything else. */
function parseLines(text: string): unknown {
  try {
    return JSON.parse(`[${text.trim().split('\n').join(',')}]`) as unknown;
  } catch {
    return undefined;
  }
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
