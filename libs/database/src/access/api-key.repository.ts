import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '@portage/domain';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Database, type Statement } from '../connection/database';
import { translateErrors } from '../connection/database-unavailable';
import { ApiKeyEntity } from './api-key.entity';
import { AuditRepository } from '../audit/audit.repository';

/** A refresh token to be stored. */
export interface NewRefreshToken {
  hash: Buffer;
  family: string;
  apiKeyId: number;
  expiresAt: Date;
}

/** The outcome of using a refresh token: its API key, or the reason for its refusal. */
export type UsedRefreshToken =
  { outcome: 'used'; apiKeyId: number } | { outcome: 'unknown' | 'expired' | 'reused' };

const insertRefreshToken: Statement = {
  name: 'insert-refresh-token',
  text: `INSERT INTO refresh_token (hash, family, api_key_id, expires_at) VALUES ($1, $2, $3, $4)`,
};

const rotateRefreshToken: Statement = {
  name: 'rotate-refresh-token',
  // The conditional update makes exactly one of several concurrent uses succeed. The next token is stored in the same
  // statement, so that a failing use revokes it with the rest of the family.
  text: `
    WITH used AS (
      UPDATE refresh_token SET used_at = now() WHERE hash = $1 AND used_at IS NULL AND expires_at > $2
      RETURNING family, api_key_id
    ), succeeded AS (
      INSERT INTO refresh_token (hash, family, api_key_id, expires_at)
      SELECT $3, family, api_key_id, $4 FROM used
    )
    SELECT api_key_id AS "apiKeyId" FROM used`,
};

const findRefreshToken: Statement = {
  name: 'find-refresh-token',
  text: `SELECT family, used_at IS NOT NULL AS "wasUsed" FROM refresh_token WHERE hash = $1`,
};

const revokeFamily: Statement = {
  name: 'revoke-refresh-token-family',
  text: `UPDATE refresh_token SET used_at = now() WHERE family = $1 AND used_at IS NULL`,
};

const deleteExpiredRefreshTokens: Statement = {
  name: 'delete-expired-refresh-tokens',
  text: `
    DELETE FROM refresh_token
    WHERE hash IN (SELECT hash FROM refresh_token WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000)`,
};

/** API keys and the refresh tokens that descend from them. */
@Injectable()
export class ApiKeyRepository {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Stores a new key. The change is audited in its transaction. */
  async create(
    key: Pick<ApiKeyEntity, 'organisationId' | 'prefix' | 'hash'>,
    entry: AuditEntry,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.manager.withRepository(this.keys).insert(key);
      await this.audit.record(transaction, entry);
    });
  }

  /** The key with this prefix, including a revoked one. */
  async findByPrefix(prefix: string): Promise<ApiKeyEntity | undefined> {
    return (await translateErrors(this.keys.findOneBy({ prefix }))) ?? undefined;
  }

  /** The key, unless it is revoked. */
  async findActive(id: number): Promise<ApiKeyEntity | undefined> {
    return (await translateErrors(this.keys.findOneBy({ id, revokedAt: IsNull() }))) ?? undefined;
  }

  /** All keys, in the order of creation. */
  async list(): Promise<ApiKeyEntity[]> {
    return translateErrors(this.keys.find({ order: { id: 'ASC' } }));
  }

  /** Revokes a key; false when there is no such key that was still valid. */
  async revoke(prefix: string, entry: AuditEntry): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const valid = { prefix, revokedAt: IsNull() };
      const keys = transaction.manager.withRepository(this.keys);
      const { affected } = await keys.update(valid, { revokedAt: () => 'now()' });
      if (affected !== 1) return false;
      await this.audit.record(transaction, entry);
      return true;
    });
  }

  /** Stores the first refresh token of a family. */
  async storeRefreshToken({ hash, family, apiKeyId, expiresAt }: NewRefreshToken): Promise<void> {
    await this.database.run(insertRefreshToken, [hash, family, apiKeyId, expiresAt]);
  }

  /**
   * Marks a refresh token as used and stores the next one of its family. A second use is a sign of theft: it revokes
   * every token of the family.
   */
  async rotateRefreshToken(
    hash: Buffer,
    now: Date,
    next: Pick<NewRefreshToken, 'hash' | 'expiresAt'>,
  ): Promise<UsedRefreshToken> {
    const [used] = await this.database.run<{ apiKeyId: number }>(rotateRefreshToken, [
      hash,
      now,
      next.hash,
      next.expiresAt,
    ]);
    if (used) return { outcome: 'used', ...used };
    const [found] = await this.database.run<{ family: string; wasUsed: boolean }>(findRefreshToken, [hash]);
    if (!found) return { outcome: 'unknown' };
    if (!found.wasUsed) return { outcome: 'expired' };
    await this.database.run(revokeFamily, [found.family]);
    return { outcome: 'reused' };
  }

  /** Deletes refresh tokens that expired before `now`, at most 1,000 at a time. */
  async deleteExpiredRefreshTokens(now: Date): Promise<void> {
    await this.database.run(deleteExpiredRefreshTokens, [now]);
  }
}
