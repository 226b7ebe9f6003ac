import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ADDITION_KINDS, type AdditionKind } from '@portage/accounts';
import {
  type AccountChange,
  AccountChangeView,
  MAX_CHANGES,
  type SubmissionLineError,
  WarningView,
} from '@portage/imports';
import type { AdditionResult } from './additions/submission-addition.entity';
import { LINE_OUTCOMES, type LineOutcome } from './line-outcome';

/** An error of a line. */
@ApiSchema({ name: 'LineError' })
export class LineErrorView implements SubmissionLineError {
  @ApiProperty({ description: 'Machine-readable. It does not change.' })
  code: string;

  @ApiProperty({ description: 'For people. The wording can change.' })
  detail: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Dotted path of the field; null if the error is about the line or the account as a whole.',
  })
  attr: string | null;
}

/** The place of a line in a submission. */
@ApiSchema({ name: 'LinePosition' })
export class LinePositionView {
  @ApiProperty({ type: 'integer', description: 'The number of the upload, counted from 1.' })
  upload: number;

  @ApiProperty({ type: 'integer', description: 'The number of the line in its upload, counted from 1.' })
  line: number;
}

/** What was done of an addition, in items: notes, transactions or statements. */
@ApiSchema({ name: 'AdditionResult' })
export class AdditionResultView implements AdditionResult {
  @ApiProperty({ type: 'integer', description: 'Items that are new.' })
  added: number;

  @ApiProperty({ type: 'integer', description: 'Items that the account had already.' })
  existing: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Of the existing ones, those that the account has with other content. They stay as they are.',
  })
  different: number;

  @ApiProperty({
    type: 'integer',
    description: 'Transactions whose date was moved into the open statement period.',
  })
  moved: number;
}

/** What became of one line of a submission. */
export class SubmissionResult extends LinePositionView {
  @ApiProperty({ type: String, nullable: true, description: 'Null if it could not be read.' })
  external_account_number: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['account', ...ADDITION_KINDS, null],
    description: 'What the line has: an account, or a kind of addition. Null if it could not be read.',
  })
  kind: 'account' | AdditionKind | null;

  @ApiProperty({ type: String, enum: [...LINE_OUTCOMES] })
  outcome: LineOutcome;

  @ApiProperty({
    type: AdditionResultView,
    nullable: true,
    description: 'Of an addition that was performed or rehearsed; null for others.',
  })
  addition: AdditionResultView | null;

  @ApiProperty({ type: String, nullable: true, description: 'Set with the outcome `processed`.' })
  platform_account_number: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'SHA-256 of the account that was sent, in the form of the header `Payload-Digest`. Null if the line could not be read, or the payload was erased.',
  })
  payload_digest: string | null;

  @ApiProperty({
    type: LinePositionView,
    nullable: true,
    description:
      'Null in the one row that counts for an account. In the row of a further line about the account, which was refused or repeats it: the row that counts.',
  })
  duplicate_of: LinePositionView | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Documents that the statements and notes of the account name. Null for a line that repeats another one.',
  })
  documents_named: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Documents of the imported account that are not in the document store yet. Null while the account is not imported.',
  })
  documents_missing: number | null;

  @ApiProperty({ type: [LineErrorView] })
  errors: SubmissionLineError[];

  @ApiProperty({
    type: [AccountChangeView],
    description: `Of a correction: what differs from the account as it was sent before, at most ${MAX_CHANGES}. Empty where that is not known, because a payload was erased.`,
  })
  changes: AccountChange[];

  @ApiProperty({ type: 'integer', description: 'The number of all changes.' })
  change_count: number;

  @ApiProperty({
    type: [WarningView],
    description: 'What is implausible in an account that was imported or rehearsed.',
  })
  warnings: WarningView[];
}
