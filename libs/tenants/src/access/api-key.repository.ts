import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type AuditEntry, AuditRepository, Database, deleteOldest, translateErrors } from '@portage/platform';
import { IsNull, Repository } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity';
import { RefreshTokenEntity } from './refresh-token.entity';
import { RevokedTokenFamilyEntity } from './revoked-token-family.entity';

/** A refresh token to be stored. */
export interface NewRefreshToken {
  hash: Buffer;
  family: string;
  apiKeyId: number;
  expiresAt: Date;
}

/**
 * The outcome of using a refresh token: its API key and family, or the reason for its refusal. `reused`: this use was the
 * first that showed that the token was used twice; later uses of tokens of the family are `revoked`.
 */
export type UsedRefreshToken =
  | { outcome: 'used'; apiKeyId: number; family: string }
  | { outcome: 'reused'; apiKeyId: number }
  | { outcome: 'unknown' | 'expired' | 'revoked' };

/** Tokens and families that are deleted at a time. */
const MAX_DELETED = 1_000;

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

  /** The prefix of the key, unless the key or the family of tokens is revoked. */
  async findActivePrefix(id: number, family: string): Promise<string | undefined> {
    const key = await this.findActive(id);
    return key && (await this.isRevoked(family)) ? undefined : key?.prefix;
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
  async storeRefreshToken({ expiresAt, ...token }: NewRefreshToken): Promise<void> {
    const { manager } = this.keys;
    await translateErrors(
      manager.insert(RefreshTokenEntity, { ...token, expiresAt: expiresAt.toISOString() }),
    );
  }

  /**
   * Marks a refresh token as used and stores the next one of its family. A second use is a sign of theft: it revokes
   * every token of the family, access tokens included.
   */
  async rotateRefreshToken(
    hash: Buffer,
    now: Date,
    next: Pick<NewRefreshToken, 'hash' | 'expiresAt'>,
  ): Promise<UsedRefreshToken> {
    const used = await this.database.transaction(async ({ manager }) => {
      // The conditional update makes exactly one of several concurrent uses succeed.
      const updated = await manager
        .createQueryBuilder()
        .update(RefreshTokenEntity)
        .set({ usedAt: () => 'now()' })
        .where('hash = :hash AND used_at IS NULL AND expires_at > :now', { hash, now })
        // A token that was stored while its family was being revoked.
        .andWhere(
          'NOT EXISTS (SELECT FROM revoked_token_family revoked WHERE revoked.family = refresh_token.family)',
        )
        .returning(['apiKeyId', 'family'])
        .execute();
      const [row] = updated.raw as { api_key_id: number; family: string }[];
      if (!row) return undefined;
      const token = { apiKeyId: row.api_key_id, family: row.family };
      // In the same transaction, so that a failing use revokes it with the rest of the family.
      await manager.insert(RefreshTokenEntity, {
        ...token,
        hash: next.hash,
        expiresAt: next.expiresAt.toISOString(),
      });
      return token;
    });
    if (used) return { outcome: 'used', ...used };
    const { manager } = this.keys;
    const found = await translateErrors(manager.findOneBy(RefreshTokenEntity, { hash }));
    if (!found) return { outcome: 'unknown' };
    const { family, apiKeyId } = found;
    if (found.usedAt === null && !(await this.isRevoked(family))) return { outcome: 'expired' };
    const revoked = await translateErrors(
      manager
        .createQueryBuilder()
        .insert()
        .into(RevokedTokenFamilyEntity)
        .values({ family })
        .orIgnore()
        .returning('family')
        .execute(),
    );
    return (revoked.raw as unknown[]).length > 0 ? { outcome: 'reused', apiKeyId } : { outcome: 'revoked' };
  }

  private async isRevoked(family: string): Promise<boolean> {
    return translateErrors(this.keys.manager.existsBy(RevokedTokenFamilyEntity, { family }));
  }

  /** Deletes refresh tokens that expired before `now`, and revoked families without tokens, at most 1,000 at a time. */
  async deleteExpiredRefreshTokens(now: Date): Promise<void> {
    const { manager } = this.keys;
    const expired = { parameters: { now }, limit: MAX_DELETED };
    await deleteOldest(manager, RefreshTokenEntity, {
      ...expired,
      where: 'old.expiresAt < :now',
      orderBy: 'expiresAt',
    });
    // Access tokens are valid for a day at most.
    await deleteOldest(manager, RevokedTokenFamilyEntity, {
      ...expired,
      where: `old.revokedAt < :now::timestamptz - interval '2 days'
        AND NOT EXISTS (SELECT FROM refresh_token token WHERE token.family = old.family)`,
      orderBy: 'revokedAt',
    });
  }
}
