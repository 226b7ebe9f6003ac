import { Inject, Injectable, type LoggerService } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import pino, { type Logger as Pino } from 'pino';
import { describeError } from './describe-error';

/**
 * The fields that a log line may have. Anything else is left out, so that personal data cannot reach the log by
 * being passed along (DESIGN 3, promise 4). Each holds an id, a code, a count or a duration, never a person's words.
 */
export interface LogFields {
  requestId?: string;
  method?: string;
  /** The route's pattern, not the address that was asked for. */
  route?: string;
  statusCode?: number;
  milliseconds?: number;
  organisationId?: number;
  supplier?: string;
  processId?: string;
  version?: number;
  attempt?: number;
  status?: string;
  code?: string;
  queue?: string;
  jobId?: string;
  jobName?: string;
  count?: number;
  port?: number;
  address?: string;
  signal?: string;
  backend?: string;
  vendor?: string;
  error?: unknown;
}

const LOGGABLE = [
  'requestId',
  'method',
  'route',
  'statusCode',
  'milliseconds',
  'organisationId',
  'supplier',
  'processId',
  'version',
  'attempt',
  'status',
  'code',
  'queue',
  'jobId',
  'jobName',
  'count',
  'port',
  'address',
  'signal',
  'backend',
  'vendor',
] as const satisfies readonly (keyof LogFields)[];

function listed(fields: LogFields): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of LOGGABLE) if (fields[name] !== undefined) line[name] = fields[name];
  if (fields.error !== undefined) line['error'] = describeError(fields.error);
  return line;
}

/** A write for each line costs the API a tenth of its time. The end of the process writes what waits. */
const BYTES_TOGETHER = 16_384;
const MOST_BYTES_A_WRITE = 65_536;

/** Structured log, one JSON object a line, on standard output. Also what Nest itself logs through. */
@Injectable()
export class Logger implements LoggerService {
  private readonly pino: Pino;
  private readonly output: ReturnType<typeof pino.destination>;

  constructor(@Inject(CONFIG) config: Pick<Config, 'LOG_LEVEL' | 'LOG_DELAY_MS'>) {
    const isDelayed = config.LOG_DELAY_MS > 0;
    this.output = pino.destination({
      sync: !isDelayed,
      // As text, all that waits is measured anew with each line: half of what a line costs.
      contentMode: 'buffer',
      maxWrite: MOST_BYTES_A_WRITE,
      ...(isDelayed && { minLength: BYTES_TOGETHER, periodicFlush: config.LOG_DELAY_MS }),
    });
    this.pino = pino(
      { level: config.LOG_LEVEL, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
      // The types of the output know text only.
      { write: (line) => this.output.write(Buffer.from(line) as unknown as string) },
    );
  }

  info(message: string, fields: LogFields = {}): void {
    this.pino.info(listed(fields), message);
  }

  warning(message: string, fields: LogFields = {}): void {
    this.pino.warn(listed(fields), message);
    this.writeNow();
  }

  failure(message: string, fields: LogFields = {}): void {
    this.pino.error(listed(fields), message);
    this.writeNow();
  }

  detail(message: string, fields: LogFields = {}): void {
    if (this.pino.isLevelEnabled('debug')) this.pino.debug(listed(fields), message);
  }

  // What follows is Nest's LoggerService: a message, then a context (errors: a stack, then a context).

  log(message: unknown, ...rest: unknown[]): void {
    this.pino.info({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error)
      this.pino.error({ context, error: describeError(message) }, 'Nest reports an error.');
    else this.pino.error({ context }, String(message));
    this.writeNow();
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.pino.warn({ context: rest.at(-1) }, String(message));
    this.writeNow();
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.pino.debug({ context: rest.at(-1) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.pino.trace({ context: rest.at(-1) }, String(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.pino.fatal({ context: rest.at(-1) }, String(message));
    this.writeNow();
  }

  /** Whoever looks into the log after a warning or a failure finds it, and what came before. */
  private writeNow(): void {
    this.output.flushSync();
  }
}
