import { toMoment, toMomentOrNull } from '../console/moments';
import { Inject, Injectable } from '@nestjs/common';
import {
  ActingOperator,
  type AuditAction,
  type AuditEntry,
  type Clock,
  CLOCK,
  PortageError,
} from '@portage/platform';
import { type OperatorChange, OperatorRepository } from './operator.repository';
import type { OperatorEntity } from './operator.entity';
import {
  isOperatorName,
  isOperatorRole,
  OPERATOR_NAME_RULE,
  OPERATOR_ROLES,
  type OperatorRole,
} from './operator';
import { newOneTimePassword, PasswordHashes } from './password-hash';
import type { OperatorView, OperatorWithPassword } from './operators.dto';

/** A one-time password that was not used in this time has to be renewed. */
export const ONE_TIME_PASSWORD_DAYS = 7;

/**
 * Operators, as an admin manages them. Each change is recorded in the audit. Names are compared without case.
 */
@Injectable()
export class Operators {
  constructor(
    private readonly operators: OperatorRepository,
    private readonly hashes: PasswordHashes,
    private readonly operator: ActingOperator,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates an operator with a one-time password.
   *
   * @throws PortageError `validation_error` if name or role is not valid or the name is taken
   */
  async create(name: string, role: string): Promise<OperatorWithPassword> {
    const normalised = name.toLowerCase();
    if (!isOperatorName(normalised)) throw new PortageError('validation_error', OPERATOR_NAME_RULE);
    const { password, stored } = await this.newPassword();
    const created = await this.operators.create(
      { name: normalised, role: requireRole(role), ...stored },
      { ...this.entry('operator.create', normalised), details: { role } },
    );
    if (!created) throw new PortageError('validation_error', `The operator ${normalised} exists already.`);
    return { operator: toView(created), one_time_password: password };
  }

  /** All operators, in the order of creation. */
  async list(): Promise<OperatorView[]> {
    return (await this.operators.list()).map(toView);
  }

  /** The operator; undefined if there is none of this name. */
  async find(name: string): Promise<OperatorView | undefined> {
    const found = await this.operators.findByName(name.toLowerCase());
    return found && toView(found);
  }

  /**
   * Sets the role. It holds at the next request of the operator.
   *
   * @throws PortageError `validation_error` for an unknown operator or role, and for the last admin
   */
  async setRole(name: string, role: string): Promise<OperatorView> {
    const required = requireRole(role);
    return this.changed(name, async (subject) =>
      this.operators.setRole(subject, required, {
        ...this.entry('operator.set-role', subject),
        details: { role },
      }),
    );
  }

  /**
   * Disables an operator and ends the operator's sessions at once. Safe to repeat.
   *
   * @throws PortageError `validation_error` for an unknown operator, and for the last admin
   */
  async disable(name: string): Promise<OperatorView> {
    return this.changed(name, async (subject) =>
      this.operators.setDisabled(subject, true, this.entry('operator.disable', subject)),
    );
  }

  /**
   * Enables an operator again. Safe to repeat.
   *
   * @throws PortageError `validation_error` for an unknown operator
   */
  async enable(name: string): Promise<OperatorView> {
    return this.changed(name, async (subject) =>
      this.operators.setDisabled(subject, false, this.entry('operator.enable', subject)),
    );
  }

  /**
   * Gives an operator a one-time password, removes the second factor and ends all sessions.
   *
   * @throws PortageError `validation_error` for an unknown operator, and for one who signs in with OpenID Connect
   */
  async resetPassword(name: string): Promise<OperatorWithPassword> {
    const subject = name.toLowerCase();
    if ((await this.operators.findByName(subject))?.oidcSubject != null)
      throw new PortageError(
        'validation_error',
        `The operator ${subject} signs in with OpenID Connect and has no password here.`,
      );
    const { password, stored } = await this.newPassword();
    const operator = await this.changed(subject, async () =>
      this.operators.resetPassword(subject, stored, this.entry('operator.reset-password', subject)),
    );
    return { operator, one_time_password: password };
  }

  private async changed(
    name: string,
    change: (name: string) => Promise<OperatorChange>,
  ): Promise<OperatorView> {
    const subject = name.toLowerCase();
    const outcome = await change(subject);
    if (outcome === 'last-admin')
      throw new PortageError(
        'validation_error',
        `${subject} is the last admin. Make another operator an admin first.`,
      );
    const operator = outcome === 'changed' ? await this.find(subject) : undefined;
    if (!operator)
      throw new PortageError(
        'validation_error',
        'There is no operator of this name. List them with: operator list',
      );
    return operator;
  }

  private async newPassword(): Promise<{
    password: string;
    stored: { passwordHash: string; mustChangePassword: true; passwordExpiresAt: string };
  }> {
    const password = newOneTimePassword();
    const expiresAt = new Date(this.clock.now().getTime() + ONE_TIME_PASSWORD_DAYS * 86_400_000);
    return {
      password,
      stored: {
        passwordHash: await this.hashes.hash(password),
        mustChangePassword: true,
        passwordExpiresAt: expiresAt.toISOString(),
      },
    };
  }

  private entry(action: AuditAction, subject: string): AuditEntry {
    return { actor: this.operator.actor, action, subject };
  }
}

function requireRole(role: string): OperatorRole {
  if (isOperatorRole(role)) return role;
  throw new PortageError(
    'validation_error',
    `The role of an operator is one of ${OPERATOR_ROLES.join(', ')}.`,
  );
}

function toView(operator: OperatorEntity): OperatorView {
  return {
    name: operator.name,
    role: operator.role,
    is_disabled: operator.isDisabled,
    has_totp: operator.totpIsConfirmed,
    must_change_password: operator.mustChangePassword,
    sign_in: operator.oidcSubject === null ? 'password' : 'openid-connect',
    created_at: toMoment(operator.createdAt),
    last_login_at: toMomentOrNull(operator.lastLoginAt),
  };
}
