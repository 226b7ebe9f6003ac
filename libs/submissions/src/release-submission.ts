import { Injectable } from '@nestjs/common';
import { SteerImportProcesses, type SteeringTally } from '@portage/imports';
import { Submissions } from './submissions';

/** Releases the rehearsed accounts of a submission: those whose dry run has succeeded. */
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
    return this.steering.releaseRehearsed(
      await this.submissions.require(undefined, id),
      first,
      signal,
      onProgress,
    );
  }

  /**
   * The number of rehearsed accounts that were not released.
   *
   * @throws PortageError `not_found`
   */
  async count(id: string): Promise<number> {
    await this.submissions.require(undefined, id);
    return this.steering.countRehearsed(id);
  }
}
