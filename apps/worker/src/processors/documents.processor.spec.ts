import { Test } from '@nestjs/testing';
import { type DocumentOutcome, InspectDocument } from '@portage/accounts';
import {
  DocumentStoreUnavailable,
  type JobPayload,
  Logger,
  queueSettings,
  RetryWithinError,
} from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { DocumentsProcessor } from './documents.processor';

const ATTEMPTS = queueSettings.documents.attempts;
const ABSENT = 'path_does_not_exist_in_file_store';

const job = (attemptsMade = 0) =>
  ({
    id: 'document-7',
    name: 'inspect-document',
    attemptsMade,
    data: { documentId: '7', supplier: 'LEGACY', externalAccountNumber: 'N-1' },
  }) as Job<JobPayload<'documents'>>;

/** The result of the job, or the error that the queue stores. */
async function resultOf(run: () => Promise<DocumentOutcome>, attemptsMade = 0): Promise<unknown> {
  const module = await Test.createTestingModule({
    providers: [
      DocumentsProcessor,
      { provide: InspectDocument, useValue: { run } },
      { provide: Logger, useValue: new Logger({ LOG_LEVEL: 'silent' }) },
    ],
  }).compile();
  return module
    .get(DocumentsProcessor)
    .process(job(attemptsMade))
    .then(
      () => 'completed',
      (error: unknown) => error,
    );
}

describe('a job of documents', () => {
  it.each(['stored', 'outdated'] as const)('a job that ends %s completes', async (kind) => {
    expect(await resultOf(async () => ({ kind }))).toBe('completed');
  });

  it('is retried while the document may still be uploaded', async () => {
    const failure = await resultOf(async () => ({ kind: 'awaited' }));
    expect(failure).toEqual(new Error(ABSENT));
    expect(failure).not.toBeInstanceOf(UnrecoverableError);
  });

  it.each([
    ['missing', ABSENT],
    ['refused', 'statement_is_not_a_pdf'],
  ] as const)('a job whose document is %s shows as failed with the code %s', async (kind, code) => {
    const failure = await resultOf(async () => ({ kind, code }));
    expect(failure).toBeInstanceOf(UnrecoverableError);
    expect(failure).toEqual(new UnrecoverableError(code));
  });

  it.each([
    ['the store is unreachable', new DocumentStoreUnavailable('ECONNREFUSED'), 'unavailable'],
    ['the database fails', Object.assign(new Error('quotes "Maeve"'), { code: '40P01' }), '40P01'],
  ])('is retried when %s, and the queue stores a code', async (_what, error, code) => {
    const failure = await resultOf(async () => Promise.reject(error));
    expect(failure).toEqual(new RetryWithinError(code, 20_000));
    expect(failure).not.toBeInstanceOf(UnrecoverableError);
  });

  it('passes on whether this is its last attempt', async () => {
    const run = jest.fn().mockResolvedValue({ kind: 'stored' });
    for (let made = 0; made < ATTEMPTS; made += 1) await resultOf(run, made);
    expect(run.mock.calls).toEqual(
      Array.from({ length: ATTEMPTS }, (_, made) => ['7', made === ATTEMPTS - 1]),
    );
  });
});
