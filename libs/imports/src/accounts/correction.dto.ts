import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type AccountChange, MAX_CHANGES } from '../processes/account-changes';

/** A value of a payload: a text, a number, a part of the account, or nothing. */
const ANY_VALUE = {
  anyOf: ['string', 'number', 'boolean', 'object', 'array', 'null'].map((type) =>
    type === 'array' ? { type, items: {} } : { type },
  ),
};

/** One difference between an account as it was imported and as it was sent. */
@ApiSchema({ name: 'AccountChange' })
export class AccountChangeView implements AccountChange {
  @ApiProperty({
    description:
      'Dotted path of the field in the account that was sent, with zero-based list positions. Of what is gone: in the account as it was.',
  })
  path: string;

  @ApiProperty({ ...ANY_VALUE, description: 'Null where there was nothing.' })
  from: unknown;

  @ApiProperty({ ...ANY_VALUE, description: 'Null where there is nothing any more.' })
  to: unknown;
}

/** The answer to the correction of an account. */
@ApiSchema({ name: 'AccountCorrection' })
export class AccountCorrectionView {
  @ApiProperty({ type: 'integer', description: 'The version of the import process that the correction is.' })
  version: number;

  @ApiProperty({
    type: [AccountChangeView],
    nullable: true,
    description: `What differs from the account as it was sent before, at most ${MAX_CHANGES}. Null if that is not known, because the payload was erased.`,
  })
  changes: AccountChange[] | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The number of all changes. Null if it is not known.',
  })
  change_count: number | null;
}
