export { AuditEntryEntity } from './audit/audit-entry.entity';
export { AuditRepository } from './audit/audit.repository';
export {
  apiKeyActor,
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  isApiKeyActor,
  operatorActor,
} from './audit/audit';
export { ActingOperator } from './audit/operator';
export { Batcher } from './batching/batcher';
export { divideBatch } from './batching/divide-batch';
export { isItemLevelError } from './batching/item-level-error';
export { READ_LIMITS } from './batching/read-limits';
export { RepeatedWork } from './batching/repeated-work';
export { runBatch } from './batching/run-batch';
export { SharedRuns } from './batching/shared-runs';
export { CONFIG, ConfigModule } from './config/config.module';
export { type Config, ConfigError, loadConfig, type Part } from './config/config';
export {
  announceEmbeddedDatabase,
  runningEmbeddedDatabase,
  withdrawEmbeddedDatabase,
} from './config/embedded-database';
export { httpTimeouts } from './config/http-timeouts';
export { localSecret } from './config/local-secrets';
export { readRelease } from './config/release';
export { settings } from './config/settings';
export { ChangeFeed } from './database/connection/change-feed';
export { DatabaseUnavailable, translateErrors } from './database/connection/database-unavailable';
export { Database, type Executor, type Statement } from './database/connection/database';
export { CACHE_LIFETIME_MS, InvalidatingCache } from './database/connection/invalidating-cache';
export { dataSourceOptions, rowTypes } from './database/data-source';
export { type ByColumn, byColumn, byProperty, rowObjects } from './connections/row-objects';
export { migrate } from './database/migrate';
export { realignEventFeed } from './database/realign-event-feed';
export {
  IdColumn,
  ReadOnlyTimestampColumn,
  TimestampColumn,
  TimestampNowColumn,
  MAX_ID,
} from './database/schema/columns';
export { lockKey } from './database/schema/lock-key';
export { rehearse } from './database/connection/rehearse';
export { takeAdvisoryLock, tryAdvisoryLock } from './database/schema/advisory-lock';
export { deleteOldest, updateOldest } from './database/schema/oldest-rows';
export { insertUnlessTaken } from './database/schema/insert-unless-taken';
export { PostgresNamingStrategy } from './database/schema/naming-strategy';
export { whereNameIs } from './database/schema/unique-name';
export { anyOf, unnestArrays } from './database/schema/unnest-arrays';
export { type DocumentKey, documentKey } from './document-stores/document-key';
export { VENDOR_CODES, type VendorCode } from './config/settings/vendors';
export { documentRootOf, isDocumentRoot } from './document-stores/document-root';
export {
  DOCUMENT_STORE,
  type DocumentDraft,
  type DocumentStore,
  DocumentStoreUnavailable,
} from './document-stores/document-store';
export { createDocumentStore } from './document-stores/create-document-store';
export {
  DocumentInspector,
  type InspectedDocument,
  inspectDocument,
} from './document-stores/inspect-document';
export { ERROR_CODES, type ErrorCode } from './errors/error-codes';
export { nestFieldErrors } from './errors/nested-field-errors';
export {
  buildQueryError,
  type FieldError,
  PortageError,
  type ProcessError,
  ShapedError,
} from './errors/portage-error';
export {
  VENDOR_FAILURES,
  VENDOR_REFUSALS,
  type VendorFailureCode,
  type VendorRefusalCode,
} from './errors/vendor-codes';
export { mapInSlices, nextTurn, runInSlices, TimeSlice } from './large-bodies/cpu-turns';
export { charactersOf, inheritSize, isLarge, recordSize } from './large-bodies/is-large';
export { type JsonExcess, type JsonLimits, JsonScanner, MAX_JSON_VALUES } from './large-bodies/json-scanner';
export { JsonSyntaxReader } from './large-bodies/json-syntax-reader';
export { MAX_NESTING } from './large-bodies/max-nesting';
export { countKeys, findRepeatedKey } from './large-bodies/repeated-keys';
export { type Guess, GuessLimits, type Judgement } from './limits/guess-limits';
export { networkOf } from './limits/network-of';
export { QUOTA_KINDS, QUOTA_NAMES, type QuotaName } from './limits/quota-kinds';
export { Quotas, type QuotaUse } from './limits/quotas';
export { type RateLimit, RateLimits } from './limits/rate-limits';
export { Throttled } from './limits/throttled';
export { Turns } from './limits/turns';
export { MAIL_TRANSPORT, type MailTransport } from './mail/mail-transport';
export { oneLine } from './mail/one-line';
export { JobCorrelation, type RequestTrail } from './observability/job-correlation';
export { Logger } from './observability/logger';
export { reportFailedStart } from './database/connection/report-failed-start';
export { MetricsAccess } from './observability/metrics-access';
export { Metrics } from './observability/metrics';
export { ObservabilityModule } from './observability/observability.module';
export { noTracing, type OpenSpan, Tracing } from './observability/tracing';
export { PlatformModule } from './platform.module';
export { maxTotalBackoffMs, RetryAfterError, RetryWithinError } from './queues/backoff';
export {
  type AccountRequestJobPayload,
  type BatchedAccountRequest,
  type BatchedProcess,
  type JobName,
  type JobPayload,
  MAX_BATCH_REQUESTS,
  QUEUE_NAMES,
  type QueueName,
  queueSettings,
  type QueueSettings,
} from './queues/job-contract';
export {
  accountRequestJob,
  batchJobId,
  importAccountJob,
  importAccountJobId,
  importAccountsJob,
  inspectDocumentJob,
  type JobsOfQueue,
  type NewJob,
  performAdditionsJob,
  transactionsBatchJob,
  welcomeEmailJob,
} from './queues/jobs';
export { JobProducer } from './queues/job-producer';
export { JobSchedules } from './queues/job-schedules';
export { QueueDepth } from './queues/queue-depth';
export { Queues } from './queues/queues';
export { SCRAPE_TIMEOUT_MS, ScrapedRead } from './queues/scraped-read';
export { TimedOut, withTimeout } from './values/with-timeout';
export { CLOCK } from './values/clock-token';
export { type Clock, systemClock } from './values/clock';
export { LIST_CHUNK_ROWS } from './values/list-chunk';
export { addDays, dayOfMonth, FIRST_DAY, LAST_DAY, type LocalDate, monthOf } from './values/local-date';
export { formatMoney, type Money, parseMoney } from './values/money';
export { rememberSuccess } from './values/remember-success';
export { SecretBox } from './values/secret-box';
export { parseUtcDatetime, toOffsetMicroseconds, toUtcSeconds } from './values/timestamp';
export { platformEntities } from './entities';
export { isObject } from './values/is-object';
export { quoteList } from './database/schema/quote-list';
