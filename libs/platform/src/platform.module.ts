import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditRepository } from './audit/audit.repository';
import { ActingOperator, operatorOf } from './audit/operator';
import type { Config } from './config/config';
import { CONFIG } from './config/config.module';
import { DatabaseClock } from './database/connection/database-clock';
import { CACHE_LIFETIME_MS, DEFAULT_CACHE_LIFETIME_MS } from './database/connection/invalidating-cache';
import { DatabaseModule } from './database/database.module';
import { DocumentsModule } from './document-stores/documents.module';
import { platformEntities } from './entities';
import { Quotas } from './limits/quotas';
import { RateLimits } from './limits/rate-limits';
import { MailModule } from './mail/mail.module';
import { QueuesModule } from './queues/queues.module';
import { CLOCK } from './values/clock-token';

/** What every subject uses: the database, the queues, the document stores, e-mail, the audit and the limits. */
@Module({
  imports: [
    DatabaseModule,
    QueuesModule,
    DocumentsModule,
    MailModule,
    TypeOrmModule.forFeature(platformEntities),
  ],
  providers: [
    AuditRepository,
    Quotas,
    RateLimits,
    { provide: CACHE_LIFETIME_MS, useValue: DEFAULT_CACHE_LIFETIME_MS },
    { provide: CLOCK, useExisting: DatabaseClock },
    {
      provide: ActingOperator,
      inject: [CONFIG],
      useFactory: (config: Config) => new ActingOperator(operatorOf(config)),
    },
  ],
  exports: [
    ActingOperator,
    AuditRepository,
    CACHE_LIFETIME_MS,
    CLOCK,
    DatabaseModule,
    QueuesModule,
    Quotas,
    RateLimits,
  ],
})
export class PlatformModule {}
