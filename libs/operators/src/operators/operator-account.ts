import { Inject, Injectable } from '@nestjs/common';
import { type AuditEntry, type Clock, CLOCK, type FieldError, Logger, PortageError } from '@portage/platform';
import type { OperatorEntity } from './operator.entity';
import { OperatorRepository } from './operator.repository';
import { OperatorSecrets } from './operator-secrets';
import type { SignedInOperator } from './operator-sessions';
import { PasswordAttempts } from './password-attempts';
import { findPasswordProblem, isPasswordLength, PasswordHashes } from './password-hash';
import { newTotpSecret, stepOfCode, totpUri } from './totp';
import type { EnrolledTotp } from './operators.dto';

/** What an operator changes about the own account: the password and the second factor. */
@Injectable()
export class OperatorAccount {
  constructor(
    private readonly operators: OperatorRepository,
    private readonly attempts: PasswordAttempts,
    private readonly secrets: OperatorSecrets,
    private readonly hashes: PasswordHashes,
    private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Replaces the password and ends the other sessions of the operator.
   *
   * @throws PortageError `validation_error` for a wrong current password or an unsuitable new one
   * @throws Throttled when there were too many wrong passwords
   */
  async changePassword(
    operator: SignedInOperator,
    address: string,
    current: string,
    next: string,
  ): Promise<void> {
    const passwordHash = await this.requirePassword(operator, address, 'current_password', current);
    const problem =
      findPasswordProblem(operator.name, next) ??
      (next === current ? 'Choose another password than the current one.' : undefined);
    if (problem !== undefined) throw invalid('new_password', problem);
    const isChanged = await this.operators.changePassword(
      { id: operator.id, passwordHash },
      await this.hashes.hash(next),
      operator.sessionId,
      this.entry(operator, 'operator.change-password'),
    );
    if (!isChanged) throw invalid('current_password', 'The password was changed meanwhile.');
    this.logger.log('An operator has changed the password.', { operator: operator.name });
  }

  /**
   * Makes a secret for an authenticator. A login needs its codes once one of them has confirmed it.
   *
   * @throws PortageError `validation_error` for a wrong password, and if there is a confirmed secret; `unavailable` without
   * OPERATOR_SECRETS_KEY
   * @throws Throttled when there were too many wrong passwords
   */
  async enrolTotp(operator: SignedInOperator, address: string, password: string): Promise<EnrolledTotp> {
    const { id, name } = operator;
    await this.requirePassword(operator, address, 'password', password);
    const secret = newTotpSecret();
    if (!(await this.operators.enrolTotp(id, this.secrets.seal(secret, id))))
      throw new PortageError(
        'validation_error',
        'You have a second factor already. Remove it before you set up another one.',
      );
    return { secret, uri: totpUri(secret, name) };
  }

  /**
   * Confirms the enrolled secret with one of its codes, and ends the other sessions of the operator.
   *
   * @throws PortageError `validation_error` for a wrong code, and without an enrolled secret
   * @throws Throttled when there were too many wrong codes
   */
  async confirmTotp(operator: SignedInOperator, address: string, code: string): Promise<void> {
    const { id, totpSecret, totpIsConfirmed } = await this.require(operator.id);
    if (!totpSecret || totpIsConfirmed)
      throw new PortageError('validation_error', 'There is no second factor to confirm. Set one up first.');
    const secret = this.secrets.open(totpSecret, id);
    const { outcome } = await this.attempts.judgeCode(address, operator.name, async () => {
      const step = stepOfCode(secret, code, this.clock.now());
      const isConfirmed =
        step !== undefined &&
        (await this.operators.confirmTotp(
          { id, totpSecret },
          step,
          operator.sessionId,
          this.entry(operator, 'operator.confirm-totp'),
        ));
      return isConfirmed ? { outcome: 'right', value: undefined } : { outcome: 'wrong' };
    });
    if (outcome === 'wrong') throw invalid('code', 'This is not the current code of the authenticator.');
    this.logger.log('An operator has set up a second factor.', { operator: operator.name });
  }

  /**
   * Removes the second factor.
   *
   * @throws PortageError `validation_error` for a wrong password, and without a second factor
   * @throws Throttled when there were too many wrong passwords
   */
  async removeTotp(operator: SignedInOperator, address: string, password: string): Promise<void> {
    await this.requirePassword(operator, address, 'password', password);
    if (!(await this.operators.removeTotp(operator.id, this.entry(operator, 'operator.remove-totp'))))
      throw new PortageError('validation_error', 'You have no second factor.');
    this.logger.log('An operator has removed the second factor.', { operator: operator.name });
  }

  private async requirePassword(
    { id, name }: SignedInOperator,
    address: string,
    attr: string,
    password: string,
  ): Promise<string> {
    const { passwordHash } = await this.require(id);
    if (passwordHash === null)
      throw new PortageError(
        'validation_error',
        'You sign in with OpenID Connect: password and second factor are set up there.',
      );
    const { outcome } = await this.attempts.judgePassword(address, name, async () =>
      isPasswordLength(password) && (await this.hashes.verify(password, passwordHash, 'operators'))
        ? { outcome: 'right', value: undefined }
        : { outcome: 'wrong' },
    );
    if (outcome === 'wrong') throw invalid(attr, 'The password is wrong.');
    return passwordHash;
  }

  private async require(id: number): Promise<OperatorEntity> {
    const operator = await this.operators.findById(id);
    if (!operator) throw new PortageError('operator_session_required', 'The operator no longer exists.');
    return operator;
  }

  private entry({ actor, name }: SignedInOperator, action: AuditEntry['action']): AuditEntry {
    return { actor, action, subject: name };
  }
}

function invalid(attr: string, detail: string): PortageError {
  const errors: FieldError[] = [{ attr, code: 'invalid', detail }];
  return new PortageError('validation_error', 'The request is not valid.', { errors });
}
