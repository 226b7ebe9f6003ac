import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type AuditEntry, AuditRepository, Database, deleteOldest, translateErrors } from '@portage/platform';
import { type FindOptionsWhere, In, LessThan, MoreThan, Repository } from 'typeorm';
import type { OperatorRole } from './operator';
import { OperatorEntity } from './operator.entity';
import { OperatorSessionEntity } from './operator-session.entity';

/** A session that is neither expired nor of a disabled operator, with what its operator is now. */
export interface ActiveSession {
  id: string;
  operatorId: number;
  name: string;
  role: OperatorRole;
  mustChangePassword: boolean;
  hasTotp: boolean;
  /** Timestamps in milliseconds since 1970. */
  lastUsedAt: number;
  expiresAt: number;
}

/** A new session, and the password on which it is based. */
export interface NewSession {
  tokenDigest: Buffer;
  operatorId: number;
  /** The hash that the login was judged by; undefined for a login without a password. */
  passwordHash: string | undefined;
  now: Date;
  expiresAt: Date;
}

/** Sessions that one login deletes at most, of those that have ended and of those of its operator. */
const MAX_DELETED = 1_000;

/** Sessions of operators. They are stored, so that all instances of the API accept and end them together. */
@Injectable()
export class OperatorSessionRepository {
  constructor(
    @InjectRepository(OperatorSessionEntity) private readonly sessions: Repository<OperatorSessionEntity>,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Stores a session and audits the login. Deletes ended sessions, and those of the operator beyond `maxSessions`.
   *
   * @param previousDigest the session that the new one replaces
   * @returns false, and nothing is stored, if the operator was disabled or the password changed meanwhile
   */
  async create(
    { tokenDigest, operatorId, passwordHash, now, expiresAt }: NewSession,
    maxSessions: number,
    previousDigest: Buffer | undefined,
    entry: AuditEntry,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const at = now.toISOString();
      // The lock orders a login and a change of its operator: an operator who was disabled, or whose password was replaced,
      // while the login was judged gets no session.
      const { affected } = await manager.update(
        OperatorEntity,
        { id: operatorId, isDisabled: false, ...(passwordHash !== undefined && { passwordHash }) },
        { lastLoginAt: at },
      );
      if (affected !== 1) return false;
      const sessions = manager.withRepository(this.sessions);
      await sessions.insert({
        tokenDigest,
        operatorId,
        createdAt: at,
        lastUsedAt: at,
        expiresAt: expiresAt.toISOString(),
      });
      if (previousDigest) await sessions.delete({ tokenDigest: previousDigest });
      await deleteOldest(manager, OperatorSessionEntity, {
        where: 'old.expiresAt <= :at',
        parameters: { at },
        orderBy: 'expiresAt',
        limit: MAX_DELETED,
      });
      const beyond = await sessions.find({
        select: { id: true },
        where: { operatorId },
        order: { id: 'DESC' },
        skip: maxSessions,
        take: MAX_DELETED,
      });
      if (beyond.length > 0) await sessions.delete({ id: In(beyond.map(({ id: old }) => old)) });
      await this.audit.record(transaction, entry);
      return true;
    });
  }

  /** The session of a token, unless it has expired, was unused since `usedAfter`, or its operator is disabled. */
  async findActive(tokenDigest: Buffer, now: Date, usedAfter: Date): Promise<ActiveSession | undefined> {
    return this.find({ tokenDigest }, now, usedAfter);
  }

  /** As {@link findActive}, by the id of the session. */
  async findActiveById(id: string, now: Date, usedAfter: Date): Promise<ActiveSession | undefined> {
    return this.find({ id }, now, usedAfter);
  }

  /** Records the use of a session. */
  async touch(id: string, now: Date): Promise<void> {
    const lastUsedAt = now.toISOString();
    await translateErrors(this.sessions.update({ id, lastUsedAt: LessThan(lastUsedAt) }, { lastUsedAt }));
  }

  /** Ends a session and audits it. Nothing happens if it has ended. */
  async end(id: string, entry: AuditEntry): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { affected } = await transaction.manager.withRepository(this.sessions).delete({ id });
      if (affected === 1) await this.audit.record(transaction, entry);
    });
  }

  private async find(
    where: FindOptionsWhere<OperatorSessionEntity>,
    now: Date,
    usedAfter: Date,
  ): Promise<ActiveSession | undefined> {
    const found = await translateErrors(
      this.sessions.findOne({
        where: {
          ...where,
          expiresAt: MoreThan(now.toISOString()),
          lastUsedAt: MoreThan(usedAfter.toISOString()),
          operator: { isDisabled: false },
        },
        relations: { operator: true },
      }),
    );
    if (!found?.operator) return undefined;
    const { id, operatorId, operator, lastUsedAt, expiresAt } = found;
    return {
      id,
      operatorId,
      name: operator.name,
      role: operator.role,
      mustChangePassword: operator.mustChangePassword,
      hasTotp: operator.totpIsConfirmed,
      lastUsedAt: Date.parse(lastUsedAt),
      expiresAt: Date.parse(expiresAt),
    };
  }
}
