import type { LoggerService } from '@nestjs/common';
import pino, { type Logger as Pino } from 'pino';
import type { Config } from '../config/config';
import { describeError } from './describe-error';

const TEXT_FIELDS = [
  'requestId',
  'method',
  // The pattern of the route, not the requested URL.
  'route',
  'supplier',
  'processId',
  'status',
  'code',
  'queue',
  'jobId',
  'jobName',
  'address',
  'signal',
  'backend',
  'vendor',
  'webhookEndpoint',
  // The name of an operator who exists.
  'operator',
] as const;
const NUMBER_FIELDS = [
  'statusCode',
  'milliseconds',
  'organisationId',
  'version',
  'attempt',
  'count',
  'port',
] as const;
const LOGGABLE = [...TEXT_FIELDS, ...NUMBER_FIELDS];

/**
 * The fields that a log line may have. All other fields are removed, so personal data that a caller passes along does
 * not reach the log. Each field holds an id, a code, a count or a duration, never text that a person wrote.
 */
export type LogFields = Partial<
  Record<(typeof TEXT_FIELDS)[number], string> & Record<(typeof NUMBER_FIELDS)[number], number>
> & { error?: unknown };

/** What a line is about: its fields, or what Nest passes, which is a context or, before one, a stack. */
type About = LogFields | string;

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

function pickLoggable(fields: LogFields): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of LOGGABLE) if (fields[name] !== undefined) line[name] = fields[name];
  if (fields.error !== undefined) line['error'] = describeError(fields.error);
  return line;
}

/**
 * Maximum time that a line at info level or below waits, so that several lines are written at once. One write per line
 * costs the API a tenth of its processor time. Buffered lines are written when the process exits.
 */
const MAX_DELAY_MS = 100;
const BUFFER_BYTES = 16_384;
const MAX_WRITE_BYTES = 65_536;

/**
 * The structured log: one JSON object per line on standard output. Nest logs through it too. Warnings and errors are
 * written at once, with all lines before them.
 */
export class Logger implements LoggerService {
  private readonly pino: Pino;
  private readonly output: ReturnType<typeof pino.destination>;

  /**
   * @param options.maxDelayMs how long a line may wait; 0 writes each line at once. A logger whose lines wait writes at
   * each turn of that time, also if there is none, so that a process has one of them.
   */
  constructor(config: Pick<Config, 'LOG_LEVEL'>, { maxDelayMs = 0 } = {}) {
    const isBuffered = maxDelayMs > 0;
    this.output = pino.destination({
      sync: !isBuffered,
      // With text content, the stream measures its whole buffer again for each line, which is half the cost of a line.
      contentMode: 'buffer',
      maxWrite: MAX_WRITE_BYTES,
      ...(isBuffered && { minLength: BUFFER_BYTES, periodicFlush: maxDelayMs }),
    });
    this.pino = pino(
      { level: config.LOG_LEVEL, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
      // The type declaration of the destination accepts only text.
      { write: (line) => this.output.write(Buffer.from(line) as unknown as string) },
    );
  }

  log(message: unknown, about?: About, context?: string): void {
    this.write('info', message, context ?? about);
  }

  warn(message: unknown, about?: About, context?: string): void {
    this.write('warn', message, context ?? about);
    this.flush();
  }

  error(message: unknown, about?: About, context?: string): void {
    this.write('error', message, context ?? about);
    this.flush();
  }

  debug(message: unknown, about?: About, context?: string): void {
    this.write('debug', message, context ?? about);
  }

  verbose(message: unknown, about?: About, context?: string): void {
    this.write('trace', message, context ?? about);
  }

  fatal(message: unknown, about?: About, context?: string): void {
    this.write('fatal', message, context ?? about);
    this.flush();
  }

  private write(level: Level, message: unknown, about: About = {}): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const fields = typeof about === 'string' ? { context: about } : pickLoggable(about);
    if (message instanceof Error)
      this.pino[level]({ ...fields, error: describeError(message) }, 'Nest reported an error.');
    else this.pino[level](fields, String(message));
  }

  private flush(): void {
    this.output.flushSync();
  }
}

/** Creates the logger of a process. In test mode each line is written at once, so that a test can read it. */
export function createLogger(config: Pick<Config, 'LOG_LEVEL' | 'NODE_ENV'>): Logger {
  return new Logger(config, config.NODE_ENV === 'test' ? {} : { maxDelayMs: MAX_DELAY_MS });
}
