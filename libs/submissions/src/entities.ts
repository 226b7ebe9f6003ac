import { SubmissionAdditionEntity } from './additions/submission-addition.entity';
import { SubmissionEntity } from './submission.entity';
import { SubmissionEventEntity } from './submission-event.entity';
import { SubmissionLineEntity } from './submission-line.entity';
import { SubmissionUploadEntity } from './submission-upload.entity';

/** The tables of this subject. */
export const submissionEntities = [
  SubmissionEntity,
  SubmissionLineEntity,
  SubmissionUploadEntity,
  SubmissionAdditionEntity,
  SubmissionEventEntity,
];
