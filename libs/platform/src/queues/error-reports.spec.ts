import type { Logger } from '../observability/logger';
import { ErrorReports } from './error-reports';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('errors of queues and workers', () => {
  const lines: Parameters<Logger['warn']>[] = [];
  let reports: ErrorReports;

  beforeEach(() => {
    jest.useFakeTimers();
    lines.length = 0;
    reports = new ErrorReports({
      warn: (...line) => {
        lines.push(line);
      },
    });
  });
  afterEach(() => {
    reports.stop();
    jest.useRealTimers();
  });

  it('are logged once while they repeat, and then counted every minute', () => {
    const error = refused();
    reports.report('A worker reported an error.', error, 'emails');
    for (let count = 0; count < 700; count += 1)
      reports.report('A queue reported an error.', refused(), 'documents');
    expect(lines).toEqual([['A worker reported an error.', { error, queue: 'emails' }]]);
    jest.advanceTimersByTime(60_000);
    expect(lines.slice(1)).toEqual([
      ['An error of the queues has been repeated.', { code: 'ECONNREFUSED', count: 700 }],
    ]);
  });

  it('are logged again after a minute without them', () => {
    reports.report('A worker reported an error.', refused(), 'emails');
    reports.report('A worker reported an error.', refused(), 'emails');
    jest.advanceTimersByTime(120_000);
    expect(lines).toHaveLength(2);
    reports.report('A worker reported an error.', refused(), 'emails');
    expect(lines).toHaveLength(3);
  });

  it('are counted once, whatever the number of queues and workers that share a connection', () => {
    reports.report('A worker reported an error.', refused(), 'emails');
    const error = refused();
    for (const queue of ['emails', 'documents', 'transactions'])
      reports.report('A worker reported an error.', error, queue);
    jest.advanceTimersByTime(60_000);
    expect(lines[1]).toEqual([expect.any(String), { code: 'ECONNREFUSED', count: 1 }]);
  });

  it('are logged at once if they differ', () => {
    reports.report('A worker reported an error.', refused(), 'emails');
    reports.report('A worker reported an error.', new Error('timeout'), 'emails');
    expect(lines).toHaveLength(2);
  });

  it('are counted when the program stops', () => {
    reports.report('A worker reported an error.', refused());
    reports.report('A worker reported an error.', refused());
    reports.stop();
    expect(lines[1]).toEqual([
      'An error of the queues has been repeated.',
      { code: 'ECONNREFUSED', count: 1 },
    ]);
  });
});
