import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { OPERATOR_ROLES, type OperatorRole } from './operator';

/** An operator without secrets, as lists show it. */
@ApiSchema({ name: 'Operator' })
export class OperatorView {
  @ApiProperty({ description: 'In lower case.' })
  name: string;

  @ApiProperty({ type: String, enum: [...OPERATOR_ROLES] })
  role: OperatorRole;

  @ApiProperty()
  is_disabled: boolean;

  @ApiProperty({ description: 'True if a login needs the code of an authenticator.' })
  has_totp: boolean;

  @ApiProperty({ description: 'True while the password is a one-time password.' })
  must_change_password: boolean;

  @ApiProperty({ type: String, enum: ['password', 'openid-connect'] })
  sign_in: 'password' | 'openid-connect';

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  last_login_at: string | null;
}

/** An operator with the one-time password, which is shown once. */
export class OperatorWithPassword {
  @ApiProperty()
  operator: OperatorView;

  @ApiProperty({ description: 'Valid for 7 days, and for one login that chooses another one. Shown once.' })
  one_time_password: string;
}

/** The operator of a session. */
export class SessionOperator {
  @ApiProperty({ description: 'In lower case.' })
  name: string;

  @ApiProperty({ type: String, enum: [...OPERATOR_ROLES] })
  role: OperatorRole;

  @ApiProperty()
  has_totp: boolean;

  @ApiProperty({ description: 'While true, the session can do nothing but choose a password and end.' })
  must_change_password: boolean;
}

/** A session as its operator sees it. */
@ApiSchema({ name: 'Session' })
export class SessionView {
  @ApiProperty()
  operator: SessionOperator;

  @ApiProperty({ description: 'Changing requests send it as X-CSRF-Token.' })
  csrf_token: string;

  @ApiProperty({ format: 'date-time', description: 'End of the session, however much it is used.' })
  expires_at: string;

  @ApiProperty({ format: 'date-time', description: 'End of the session without a further request.' })
  idle_expires_at: string;
}

/** A second factor that is to be confirmed. */
export class EnrolledTotp {
  @ApiProperty({ description: 'In base 32. Shown once.' })
  secret: string;

  @ApiProperty({ description: 'The same for a QR code.' })
  uri: string;
}
