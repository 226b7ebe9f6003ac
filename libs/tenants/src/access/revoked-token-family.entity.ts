import { ReadOnlyTimestampColumn } from '@portage/platform';
import { Entity, Index, PrimaryColumn } from 'typeorm';

/** A family of tokens of which a refresh token was used twice. All of its tokens are refused. */
@Entity('revoked_token_family')
export class RevokedTokenFamilyEntity {
  @PrimaryColumn({ type: 'uuid' })
  family: string;

  @Index('revoked_token_family_age')
  @ReadOnlyTimestampColumn()
  revokedAt: string;
}
