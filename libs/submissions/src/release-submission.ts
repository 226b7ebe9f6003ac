import { Injectable } from '@nestjs/common';
import { SteerImportProcesses, type SteeringTally } from '@portage/imports';
import { Refusal } from '@portage/platform';
import { type StoredSubmission, SubmissionRepository } from './submission.repository';
import { isSubmissionId } from './submission-id';

/** Releases the accounts of a submission whose dry run has succeeded. */
@Injectable()
export class ReleaseSubmission {
  constructor(
    private readonly submissions: SubmissionRepository,
    private readonly steering: SteerImportProcesses,
  ) {}

  /**
   * Releases the accounts in the order of their creation.
   *
   * @param first only so many, as a canary; undefined: all
   * @throws Refusal if there is no such submission, or while its supplier is Paused or Complete
   */
  async run(
    id: string,
    first: number | undefined,
    signal?: AbortSignal,
    onProgress?: (count: number) => void,
  ): Promise<SteeringTally> {
    return this.steering.releaseAfterDryRun(await this.require(id), first, signal, onProgress);
  }

  /**
   * The number of accounts whose dry run has succeeded and that were not released.
   *
   * @throws Refusal if there is no such submission
   */
  async count(id: string): Promise<number> {
    await this.require(id);
    return this.steering.countAfterDryRun(id);
  }

  private async require(id: string): Promise<StoredSubmission> {
    const submission = isSubmissionId(id) ? await this.submissions.find(undefined, id) : undefined;
    if (!submission) throw new Refusal(`There is no submission ${id}. List them with: submission list`);
    return submission;
  }
}
