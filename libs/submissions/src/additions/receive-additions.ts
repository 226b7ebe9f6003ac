import { Inject, Injectable } from '@nestjs/common';
import { AdditionValidation } from '@portage/accounts';
import type { RefusedLine, SubmissionLineError } from '@portage/imports';
import { CONFIG, type Config, JobProducer, performAdditionsJob, Quotas, TimeSlice } from '@portage/platform';
import {
  type Caller,
  ImportSupplierDirectory,
  type ImportSupplierEntity,
  requireOngoing,
  supplierCodeOf,
} from '@portage/tenants';
import { accountNumberOf, type PayloadLine, storableErrors } from '../read-line';
import { submissionNotOpen } from '../submission-not-open';
import { ReceiveUpload, type Upload } from '../receive-upload';
import type { UploadResult } from '../submissions.dto';
import { type UploadBody, UploadRun } from '../upload-run';
import { measureAddition, measureRefused } from './addition-measures';
import { digestOf, readAdditionLine, shardOf } from './read-addition-line';
import { type NewAddition, SubmissionAdditionRepository } from './submission-addition.repository';

/** Lines that are stored together. Each batch has a job for each of its shards. */
const BATCH_LINES = 256;

/** Receives the additions of a submission: one a line, in an upload of any length. */
@Injectable()
export class ReceiveAdditions {
  constructor(
    private readonly uploads: ReceiveUpload,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly validation: AdditionValidation,
    private readonly additions: SubmissionAdditionRepository,
    private readonly jobs: JobProducer,
    private readonly quotas: Quotas,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reads an upload to its end. Lines are validated, stored and enqueued in batches while it arrives. What was read before an
   * error stays stored, and the whole file can be sent again.
   *
   * @throws as {@link ReceiveUpload.receive}
   */
  async receive(
    caller: Pick<Caller, 'organisationId' | 'actor'>,
    id: string,
    body: UploadBody,
  ): Promise<UploadResult> {
    return this.uploads.receive(caller, id, 'additions', async (upload) => {
      const run = new UploadRun<NewAddition>({
        subject: 'addition',
        maxLineBytes: this.config.MAX_BODY_BYTES,
        batchLines: BATCH_LINES,
        check: async (lines) => this.checkAll(upload, lines),
        isUnchanged: () => false,
        accept: async (lines) => this.store(upload, lines),
        // The worker performs them meanwhile: with more in progress, requests of others take longer.
        storesAlone: true,
        renew: async () => this.uploads.renew(upload),
      });
      await run.receive(body);
    });
  }

  private async checkAll(
    { submission, ignored }: Upload,
    lines: readonly (PayloadLine | RefusedLine)[],
  ): Promise<NewAddition[]> {
    const supplier = await this.suppliers.require(submission.organisationId, submission.supplier);
    requireOngoing(supplier);
    const slice = new TimeSlice();
    const read: NewAddition[] = [];
    for (const line of lines) {
      await slice.pause();
      if (!('payload' in line)) {
        read.push(refuse(line));
        continue;
      }
      const ignore = (paths: readonly string[]) => {
        ignored.add(paths);
      };
      read.push(await this.read(supplier, line, ignore));
    }
    return read;
  }

  private async read(
    supplier: ImportSupplierEntity,
    { line, payload }: PayloadLine,
    ignore: (paths: readonly string[]) => void,
  ): Promise<NewAddition> {
    const digest = digestOf(payload);
    const named = readAdditionLine(payload);
    const { kind } = named;
    const body = kind === null ? undefined : payload[kind];
    const number = accountNumberOf(body) ?? null;
    const buildRefused = (errors: readonly SubmissionLineError[]): NewAddition => ({
      line,
      digest,
      kind,
      externalAccountNumber: number,
      shard: shardOf(kind, number),
      input: null,
      measures: measureRefused(kind, body),
      errors: storableErrors(errors),
    });
    if ('errors' in named) return buildRefused(named.errors);
    if (supplierCodeOf(named.body) !== undefined && supplierCodeOf(named.body) !== supplier.code)
      return buildRefused([
        {
          code: 'invalid_choice',
          detail: `The submission has the additions of ${supplier.code}.`,
          attr: `${named.kind}.import_supplier`,
        },
      ]);
    const result = await this.validation.read(supplier, named);
    if (!result.ok)
      return buildRefused(result.errors.map((error) => ({ ...error, attr: `${named.kind}.${error.attr}` })));
    ignore(result.ignoredFields.map((path) => `${named.kind}.${path}`));
    const { addition, externalAccountNumber } = result;
    return {
      line,
      digest,
      kind,
      externalAccountNumber,
      shard: shardOf(kind, externalAccountNumber),
      input: JSON.stringify(addition.input),
      measures: measureAddition(addition),
      errors: null,
    };
  }

  /** Stores a batch of lines, and enqueues what they add. */
  private async store({ submission, key }: Upload, lines: readonly NewAddition[]): Promise<void> {
    const { supplierId, organisationId, supplier, id } = submission;
    const byDigest = new Map(lines.map((line) => [line.digest.toString('hex'), line]));
    const different = [...byDigest.values()];
    const refused = different.filter(({ input }) => input === null).length;
    await this.quotas.take('refused_lines', { supplierId }, refused);
    const stored = await this.additions.store(key, different, lines.length - different.length);
    if (!stored.isOpen) throw submissionNotOpen({ ...submission, status: 'RECEIVED' });
    await this.jobs.add(
      'additions',
      stored.shards.map(({ shard, lastId }) =>
        performAdditionsJob({ organisationId, supplier, submissionId: id, shard }, lastId),
      ),
    );
  }
}

/** A line that is no JSON object. */
function refuse({ line, refusedKey, errors }: RefusedLine): NewAddition {
  return {
    line,
    digest: refusedKey,
    kind: null,
    externalAccountNumber: null,
    shard: 0,
    input: null,
    measures: measureRefused(null, undefined),
    errors: [...errors],
  };
}
