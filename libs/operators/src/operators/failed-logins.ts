import { Injectable } from '@nestjs/common';
import {
  AuditRepository,
  Database,
  Logger,
  networkOf,
  operatorActor,
  type RateLimit,
  RateLimits,
} from '@portage/platform';
import { OperatorRepository } from './operator.repository';

/** Entries of the audit, which is never shortened. More failed logins in an hour are an attack, which the log shows. */
const ENTRIES: RateLimit = { name: 'operator-failure-entries', maxUses: 1_000, seconds: 3_600, detail: '' };

/** Why a login failed. Only the audit and the log say so. */
export type LoginFailure = 'password' | 'code' | 'disabled' | 'openid-connect' | 'role';

/** Records failed logins in the audit and in the log. */
@Injectable()
export class FailedLogins {
  constructor(
    private readonly operators: OperatorRepository,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly limits: RateLimits,
    private readonly logger: Logger,
  ) {}

  /** Records one. A name of no operator is left out: it may be a password that was typed into the wrong field. */
  async record(name: string | undefined, address: string, reason: LoginFailure): Promise<void> {
    const network = networkOf(address);
    const operator = name === undefined ? undefined : (await this.operators.findByName(name))?.name;
    const about = operator === undefined ? {} : { operator };
    this.logger.warn('A login of an operator has failed.', { ...about, address: network, code: reason });
    if ((await this.limits.count(ENTRIES, 'all')) > ENTRIES.maxUses) return;
    await this.audit.record(this.database, {
      actor: operator === undefined ? 'unknown' : operatorActor(operator),
      action: 'operator.fail-log-in',
      ...(operator === undefined ? {} : { subject: operator }),
      details: { reason, network },
    });
  }
}
