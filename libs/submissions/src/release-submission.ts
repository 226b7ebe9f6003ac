import { Injectable } from '@nestjs/common';
import { SteerImportProcesses, type SteeringTally } from '@portage/imports';
import { Submissions } from './submissions';

/** Releases the accounts of a submission whose dry run has succeeded. */
@Injectable()
export class ReleaseSubmission {
  constructor(
    private readonly submissions: Submissions,
    private readonly steering: SteerImportProcesses,
  ) {}

  /**
   * Releases the accounts in the order of their creation.
   *
   * @param first only so many, as a canary; undefined: all
   * @throws PortageError `not_found`; `operation_refused` while its supplier is Paused or Complete
   */
  async run(
    id: string,
    first: number | undefined,
    signal?: AbortSignal,
    onProgress?: (count: number) => void,
  ): Promise<SteeringTally> {
    return this.steering.releaseAfterDryRun(
      await this.submissions.require(undefined, id),
      first,
      signal,
      onProgress,
    );
  }

  /**
   * The number of accounts whose dry run has succeeded and that were not released.
   *
   * @throws PortageError `not_found`
   */
  async count(id: string): Promise<number> {
    await this.submissions.require(undefined, id);
    return this.steering.countAfterDryRun(id);
  }
}
