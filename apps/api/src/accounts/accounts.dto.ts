import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Account } from '@portage/account-schema';
import { TaskParams } from '@portage/account-schema/service';
import { ADDITION_LISTS, type AdditionList, type AdditionsQuery } from '@portage/accounts';
import { WarningView } from '@portage/imports';
import { ChoiceField, LimitField, QueryFlag, TextField } from '../http/fields';
import { ErrorBody } from '../openapi/errors.dto';
import { SchemaKeywords } from '../openapi/schema-keywords';

/** An account with options. */
@SchemaKeywords({ additionalProperties: false })
export class WrappedAccount {
  @ApiProperty()
  payload: Account;

  @ApiPropertyOptional()
  task_params?: TaskParams;
}

/** The body of a success without data (contract, "Validate an account" and "Schedule an account"). */
@ApiSchema({ description: 'An object without members.' })
@SchemaKeywords({ maxProperties: 0 })
export class EmptyObject {}

/** The query of a validation. */
export class ValidationQuery {
  @QueryFlag({ default: false, description: 'List what is implausible in a valid account.' })
  warnings: boolean;
}

/** The body of a successful validation: empty, unless the request asks for warnings. */
export class ValidAccount {
  @ApiPropertyOptional({
    type: [WarningView],
    description:
      'What is allowed, but implausible. Present if the request asks for it. The account can be scheduled.',
  })
  warnings?: readonly WarningView[];
}

/** Rows of the longest page. */
const MAX_PAGE_ROWS = 1_000;

/** The query of the additions of an account. */
export class AccountAdditionsQuery implements AdditionsQuery {
  @ChoiceField(ADDITION_LISTS, {
    description: 'The additions that are listed. Without it the answer has balances and counts only.',
  })
  kind: AdditionList | undefined;

  @LimitField(MAX_PAGE_ROWS, { description: 'Items of a page of the `kind`, 100 by default' })
  limit: number | undefined;

  @TextField({
    max: Infinity,
    description: 'The `next` of the previous page of the same `kind`',
    detail: 'after must be the `next` of the previous page, once.',
  })
  after: string | undefined;
}

/** The error of an account that was imported before. */
export class ImportedAccountDetail {
  @ApiProperty()
  detail: string;

  @ApiProperty({ type: String, enum: ['account_import_process_already_imported'] })
  code: 'account_import_process_already_imported';
}

@ApiSchema({ description: 'Something was added to the account since its import.' })
export class AccountWithAdditionsError extends ErrorBody {
  @ApiProperty({ type: String, isArray: true, description: 'What was added, for people.' })
  additions: string[];
}

@ApiSchema({ description: 'The account has been imported already.' })
export class ImportedAccountError extends ErrorBody {
  @ApiProperty()
  non_field_errors: ImportedAccountDetail;

  @ApiProperty({ description: 'The platform account number.' })
  account_id: string;
}
