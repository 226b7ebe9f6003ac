import { Logger } from './logger';

const written: string[] = [];
jest.mock('pino', () => {
  const real: typeof import('pino') = jest.requireActual('pino');
  const toMemory = (options: object) => real.pino(options, { write: (line: string) => written.push(line) });
  return { __esModule: true, default: Object.assign(toMemory, real), pino: toMemory };
});

const lines = (): Record<string, unknown>[] =>
  written.map((line) => JSON.parse(line) as Record<string, unknown>);

beforeEach(() => {
  written.length = 0;
});

describe('the logger', () => {
  it('writes one JSON object per line with the time, the level and the message', () => {
    new Logger({ LOG_LEVEL: 'info' }).log('Request answered.', {
      requestId: 'r-1',
      statusCode: 201,
    });
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        pid: process.pid,
        requestId: 'r-1',
        statusCode: 201,
        msg: 'Request answered.',
      },
    ]);
  });

  it('omits every field that is not in the list of loggable fields', () => {
    const fields = {
      processId: '7',
      given_name: 'Maeve',
      payload: { email: 'm@example.org' },
      url: '/v1/Maeve',
    };
    const logger = new Logger({ LOG_LEVEL: 'trace' });
    for (const write of [logger.log, logger.warn, logger.error, logger.debug])
      write.call(logger, 'Something happened.', fields);
    expect(lines()).toHaveLength(4);
    expect(written.join()).not.toMatch(/Maeve|example\.org/);
    for (const line of lines())
      expect(Object.keys(line).sort()).toEqual(['level', 'msg', 'pid', 'processId', 'time']);
  });

  it('writes the name and code of an error', () => {
    const error = Object.assign(new Error('gone'), { code: 'ECONNRESET', secret: 'hunter2' });
    new Logger({ LOG_LEVEL: 'info' }).error('It failed.', { error });
    expect(lines()[0]).toMatchObject({
      level: 50,
      error: { name: 'Error', code: 'ECONNRESET', message: 'gone' },
    });
    expect(written.join()).not.toContain('hunter2');
  });

  it.each([
    ['trace', ['verbose', 'debug', 'log', 'warn', 'error', 'fatal']],
    ['info', ['log', 'warn', 'error', 'fatal']],
    ['warn', ['warn', 'error', 'fatal']],
    ['error', ['error', 'fatal']],
    ['silent', []],
  ])('writes at level %s: %j', (LOG_LEVEL, expected) => {
    const logger = new Logger({ LOG_LEVEL });
    logger.verbose('verbose');
    logger.debug('debug');
    logger.log('log');
    logger.warn('warn');
    logger.error('error');
    logger.fatal('fatal');
    expect(lines().map(({ msg }) => msg)).toEqual(expected);
  });

  it('writes the messages of Nest, without the message of a database error', () => {
    const logger = new Logger({ LOG_LEVEL: 'info' });
    logger.log('Mapped {/health}', 'Router');
    logger.error(
      Object.assign(new Error('quotes "Maeve"'), { severity: 'ERROR', code: '22P02' }),
      'Exceptions',
    );
    logger.error('Something', 'a stack', 'Context');
    expect(lines()).toMatchObject([
      { level: 30, msg: 'Mapped {/health}', context: 'Router' },
      { level: 50, msg: 'Nest reported an error.', context: 'Exceptions', error: { code: '22P02' } },
      { level: 50, msg: 'Something', context: 'Context' },
    ]);
    expect(written.join()).not.toContain('Maeve');
  });
});
