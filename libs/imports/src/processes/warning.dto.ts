import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { WARNING_CODES } from '@portage/account-schema/service';
import type { FieldError } from '@portage/platform';

/** A value of an account that is allowed, but implausible. It refuses nothing. */
@ApiSchema({ name: 'AccountWarning' })
export class WarningView implements FieldError {
  @ApiProperty({ type: String, enum: [...WARNING_CODES], description: 'It does not change.' })
  code: string;

  @ApiProperty({
    description: 'Says what is implausible and how to mend it, for people. The wording can change.',
  })
  detail: string;

  @ApiProperty({ description: 'Dotted path of the value.' })
  attr: string;
}
