import { Injectable } from '@nestjs/common';
import { type AuditEntry, AuditRepository, Database, type Statement } from '@portage/platform';
import type { OperatorRole } from './operator';

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

const COLUMNS = `
  session.id, operator_id, operator.name, role, must_change_password,
  totp_is_confirmed AS has_totp, extract(epoch FROM last_used_at)::float8 * 1000 AS last_used_at,
  extract(epoch FROM expires_at)::float8 * 1000 AS expires_at`;

const findActive: Statement = {
  name: 'find-operator-session',
  text: `
    SELECT ${COLUMNS}
    FROM operator_session session JOIN operator ON operator.id = operator_id
    WHERE token_digest = $1 AND expires_at > $2 AND last_used_at > $3 AND NOT is_disabled`,
};

const findActiveById: Statement = {
  name: 'find-operator-session-by-id',
  text: `
    SELECT ${COLUMNS}
    FROM operator_session session JOIN operator ON operator.id = operator_id
    WHERE session.id = $1 AND expires_at > $2 AND last_used_at > $3 AND NOT is_disabled`,
};

const touch: Statement = {
  name: 'touch-operator-session',
  text: 'UPDATE operator_session SET last_used_at = $2 WHERE id = $1 AND last_used_at < $2',
};

const create: Statement = {
  name: 'create-operator-session',
  // The lock orders a login and a change of its operator: an operator who was disabled, or whose password was replaced,
  // while the login was judged gets no session.
  text: `
    WITH operator AS (
      UPDATE operator SET last_login_at = $4
      WHERE id = $2 AND NOT is_disabled AND ($3::text IS NULL OR password_hash = $3)
      RETURNING id
    )
    INSERT INTO operator_session (token_digest, operator_id, created_at, last_used_at, expires_at)
    SELECT $1, id, $4, $4, $5 FROM operator RETURNING id`,
};

const deleteEnded: Statement = {
  name: 'delete-ended-operator-sessions',
  // Ended ones of all operators, and the oldest ones of this operator beyond the allowed number.
  text: `
    DELETE FROM operator_session WHERE id IN (
      (SELECT id FROM operator_session WHERE expires_at <= $1 ORDER BY expires_at LIMIT 1000)
      UNION ALL
      (SELECT id FROM operator_session WHERE operator_id = $2 ORDER BY id DESC OFFSET $3 LIMIT 1000))`,
};

const end: Statement = {
  name: 'end-operator-session',
  text: 'DELETE FROM operator_session WHERE id = $1 RETURNING id',
};

const endByDigest: Statement = {
  name: 'end-operator-session-by-digest',
  text: 'DELETE FROM operator_session WHERE token_digest = $1',
};

/** Sessions of operators. They are stored, so that all instances of the API accept and end them together. */
@Injectable()
export class OperatorSessionRepository {
  constructor(
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
      const values = [tokenDigest, operatorId, passwordHash ?? null, now, expiresAt];
      if ((await transaction.run(create, values)).length === 0) return false;
      if (previousDigest) await transaction.run(endByDigest, [previousDigest]);
      await transaction.run(deleteEnded, [now, operatorId, maxSessions]);
      await this.audit.record(transaction, entry);
      return true;
    });
  }

  /** The session of a token, unless it has expired, was unused since `usedAfter`, or its operator is disabled. */
  async findActive(tokenDigest: Buffer, now: Date, usedAfter: Date): Promise<ActiveSession | undefined> {
    return (await this.database.run<ActiveSession>(findActive, [tokenDigest, now, usedAfter]))[0];
  }

  /** As {@link findActive}, by the id of the session. */
  async findActiveById(id: string, now: Date, usedAfter: Date): Promise<ActiveSession | undefined> {
    return (await this.database.run<ActiveSession>(findActiveById, [id, now, usedAfter]))[0];
  }

  /** Records the use of a session. */
  async touch(id: string, now: Date): Promise<void> {
    await this.database.run(touch, [id, now]);
  }

  /** Ends a session and audits it. Nothing happens if it has ended. */
  async end(id: string, entry: AuditEntry): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if ((await transaction.run(end, [id])).length > 0) await this.audit.record(transaction, entry);
    });
  }
}
