import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, type Judgement, networkOf } from '@portage/platform';
import type { OperatorEntity } from './operator.entity';
import { OperatorRepository } from './operator.repository';
import { isOperatorName } from './operator';
import { FailedLogins } from './failed-logins';
import { OperatorSecrets } from './operator-secrets';
import { OperatorSessions } from './operator-sessions';
import { PasswordAttempts } from './password-attempts';
import { type HashQueue, isPasswordLength, PasswordHashes } from './password-hash';
import { stepOfCode } from './totp';

/** What a client sends to sign in. */
export interface Login {
  name: string;
  password: string;
  /** The code of the second factor. */
  totp: string | undefined;
  /** IP address of the client. */
  address: string;
  /** The token of the session that the client has. */
  previousToken: string | undefined;
}

/** A login came to a session, with its token, or to the reason why not. */
export type LoginOutcome =
  | { outcome: 'opened'; token: string }
  | { outcome: 'failed' }
  | { outcome: 'totp-required' };

/**
 * Signs an operator in with a password and, if there is one, the second factor. The answer and its time are the same for
 * an unknown name, a disabled operator and a wrong password.
 */
@Injectable()
export class LogIn {
  constructor(
    private readonly operators: OperatorRepository,
    private readonly sessions: OperatorSessions,
    private readonly attempts: PasswordAttempts,
    private readonly secrets: OperatorSecrets,
    private readonly hashes: PasswordHashes,
    private readonly failures: FailedLogins,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Signs in.
   *
   * @throws Throttled when there were too many wrong passwords or codes
   * @throws PortageError `unavailable` if the second factor cannot be read
   */
  async withPassword(login: Login): Promise<LoginOutcome> {
    const name = login.name.toLowerCase().slice(0, 64);
    const { address } = login;
    const judged = await this.attempts.judgePassword(address, name, async (isKnown) =>
      this.judgePassword(name, login.password, isKnown ? 'operators' : 'strangers'),
    );
    if (judged.outcome === 'wrong') return this.fail(name, address, 'password');
    const operator = judged.value;
    if (operator.totpIsConfirmed && login.totp === undefined) return { outcome: 'totp-required' };
    if (operator.totpIsConfirmed && !(await this.acceptsCode(operator, address, login.totp ?? '')))
      return this.fail(name, address, 'code');
    const token = await this.sessions.open(operator, {
      method: operator.totpIsConfirmed ? 'password and code' : 'password',
      network: networkOf(address),
      previousToken: login.previousToken,
    });
    if (token === undefined) return this.fail(name, address, 'password');
    await this.attempts.recordSuccess(address, name);
    return { outcome: 'opened', token };
  }

  private async judgePassword(
    name: string,
    password: string,
    queue: HashQueue,
  ): Promise<Judgement<OperatorEntity>> {
    const found = isOperatorName(name) ? await this.operators.findByName(name) : undefined;
    // Verified for an unknown name too, and before anything else is decided, so that the time is the same.
    const isRight =
      isPasswordLength(password) && (await this.hashes.verify(password, found?.passwordHash, queue));
    if (!found || !isRight || found.isDisabled || this.hasExpired(found)) return { outcome: 'wrong' };
    return { outcome: 'right', value: found };
  }

  /** True for a one-time password that was not used in time. */
  private hasExpired({ passwordExpiresAt }: OperatorEntity): boolean {
    return passwordExpiresAt !== null && new Date(passwordExpiresAt) <= this.clock.now();
  }

  private async acceptsCode(operator: OperatorEntity, address: string, code: string): Promise<boolean> {
    const { id, totpSecret } = operator;
    if (!totpSecret) return false;
    const secret = this.secrets.open(totpSecret, id);
    const { outcome } = await this.attempts.judgeCode(address, operator.name, async () => {
      const step = stepOfCode(secret, code, this.clock.now());
      const isAccepted = step !== undefined && (await this.operators.acceptTotpStep(id, totpSecret, step));
      return isAccepted ? { outcome: 'right', value: undefined } : { outcome: 'wrong' };
    });
    return outcome === 'right';
  }

  private async fail(name: string, address: string, reason: 'password' | 'code'): Promise<LoginOutcome> {
    await this.failures.record(name, address, reason);
    return { outcome: 'failed' };
  }
}
