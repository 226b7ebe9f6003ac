import { type OperatorRole } from './operator';

/** An operator without secrets, as lists show it. */
export interface OperatorView {
  /** In lower case. */
  name: string;
  role: OperatorRole;
  is_disabled: boolean;
  /** True if a login needs the code of an authenticator. */
  has_totp: boolean;
  /** True while the password is a one-time password. */
  must_change_password: boolean;
  sign_in: 'password' | 'openid-connect';
  created_at: string;
  last_login_at: string | null;
}

/** An operator with the one-time password, which is shown once. */
export interface OperatorWithPassword {
  operator: OperatorView;
  /** Valid for 7 days, and for one login that chooses another one. Shown once. */
  one_time_password: string;
}

/** The operator of a session. */
export interface SessionOperator {
  /** In lower case. */
  name: string;
  role: OperatorRole;
  has_totp: boolean;
  /** While true, the session can do nothing but choose a password and end. */
  must_change_password: boolean;
}

/** A session as its operator sees it. */
export interface SessionView {
  operator: SessionOperator;
  /** End of the session, however much it is used. */
  expires_at: string;
  /** End of the session without a further request. */
  idle_expires_at: string;
}

/** A second factor that is to be confirmed. */
export interface EnrolledTotp {
  /** In base 32. Shown once. */
  secret: string;
  /** The same for a QR code. */
  uri: string;
}
