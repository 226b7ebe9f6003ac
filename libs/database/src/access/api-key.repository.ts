import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '@portage/domain';
import { DataSource, IsNull } from 'typeorm';
import { Database, type Statement } from '../connection/database';
import { asked } from '../connection/database-unavailable';
import { ApiKeyEntity } from './api-key.entity';
import { recordWith } from '../audit/audit.repository';

export interface NewRefreshToken {
  hash: Buffer;
  family: string;
  apiKeyId: number;
  expiresAt: Date;
}

/** What using a refresh token found: its key, or why it is refused. */
export type UsedRefreshToken =
  { outcome: 'used'; apiKeyId: number } | { outcome: 'unknown' | 'expired' | 'reused' };

const insertRefreshToken: Statement = {
  name: 'insert-refresh-token',
  text: `INSERT INTO refresh_token (hash, family, api_key_id, expires_at) VALUES ($1, $2, $3, $4)`,
};

const rotateRefreshToken: Statement = {
  name: 'rotate-refresh-token',
  // The conditional update lets exactly one of several concurrent uses win. Its successor is stored in the same
  // statement: whoever loses finds it, and revokes it with the rest of the family.
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
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  async create(
    key: Pick<ApiKeyEntity, 'organisationId' | 'prefix' | 'hash'>,
    entry: AuditEntry,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.insert(ApiKeyEntity, key);
      await recordWith(manager, entry);
    });
  }

  async findByPrefix(prefix: string): Promise<ApiKeyEntity | undefined> {
    return (await asked(this.repository.findOneBy({ prefix }))) ?? undefined;
  }

  /** A key that is still valid. */
  async findActive(id: number): Promise<ApiKeyEntity | undefined> {
    return (await asked(this.repository.findOneBy({ id, revokedAt: IsNull() }))) ?? undefined;
  }

  async list(): Promise<ApiKeyEntity[]> {
    return this.repository.find({ order: { id: 'ASC' } });
  }

  /** Revokes a key; false when there is no such key that was still valid. */
  async revoke(prefix: string, entry: AuditEntry): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const valid = { prefix, revokedAt: IsNull() };
      const { affected } = await manager.update(ApiKeyEntity, valid, { revokedAt: () => 'now()' });
      if (affected !== 1) return false;
      await recordWith(manager, entry);
      return true;
    });
  }

  async storeRefreshToken({ hash, family, apiKeyId, expiresAt }: NewRefreshToken): Promise<void> {
    await this.database.run(insertRefreshToken, [hash, family, apiKeyId, expiresAt]);
  }

  /**
   * Uses up a refresh token and stores the next one of its family. One that was used before is a sign of theft:
   * every token of its family is revoked.
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

  /** Forgets refresh tokens that expired before `now`, a bounded number at a time. */
  async deleteExpiredRefreshTokens(now: Date): Promise<void> {
    await this.database.run(deleteExpiredRefreshTokens, [now]);
  }

  private get repository() {
    return this.dataSource.getRepository(ApiKeyEntity);
  }
}
