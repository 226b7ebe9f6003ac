import { AuditEntryEntity } from './audit/audit-entry.entity';
import { RateLimitEntity } from './limits/rate-limit.entity';

/** The tables of this subject. */
export const platformEntities = [AuditEntryEntity, RateLimitEntity];
