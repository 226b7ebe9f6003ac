import { EnvError, makeValidator, str } from 'envalid';
import { documentStoreUrl } from './document-store-url';
import { HashedSecret } from './hashed-secret';
import { mailSender, smtpUrl } from './smtp-url';
import { trustedProxies } from './trusted-proxies';
import { vendorBase, vendorKey } from './vendor-access';

const wholeNumber = (least: number, most: number) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new EnvError(`must be a whole number from ${least} to ${most}`);
    return value;
  });

const onOrOff = makeValidator<boolean>((text) => {
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  if (['false', 'no', 'off', '0'].includes(text)) return false;
  throw new EnvError('must be true or false');
});

const oneOf = (...choices: string[]) =>
  makeValidator<string>((text) => {
    if (!choices.includes(text)) throw new EnvError(`must be one of ${choices.join(', ')}`);
    return text;
  });

const addressOf = (...schemes: string[]) =>
  makeValidator<string>((text) => {
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
    if (!schemes.includes(scheme))
      throw new EnvError(`must be a URL that starts with ${schemes.join(':// or ')}://`);
    return text;
  });

const secret = (least: number) =>
  makeValidator<string>((text) => {
    if (text.length < least) throw new EnvError(`must be at least ${least} characters long`);
    return text;
  });

const nameOfOne = makeValidator<string>((text) => {
  if (!/^[^\u0000-\u001f\u007f]{1,64}$/.test(text))
    throw new EnvError('must have 1 to 64 characters and no control characters');
  return text;
});

/** As {@link secret}, for what is compared with guesses and never used otherwise. */
const comparedSecret = (least: number) =>
  makeValidator<HashedSecret>((text) => {
    if (text.length < least) throw new EnvError(`must be at least ${least} characters long`);
    return new HashedSecret(text);
  });

const timeZone = makeValidator<string>((text) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    throw new EnvError('must be an IANA time zone such as UTC or Europe/London');
  }
});

/** Comes in a header, where a space or a line break would end it. */
const headerToken = (least: number) =>
  makeValidator<HashedSecret>((text) => {
    if (!/^[!-~]*$/.test(text) || text.length < least)
      throw new EnvError(`must be at least ${least} characters of printable ASCII, without spaces`);
    return new HashedSecret(text);
  });

/** A variable that has no value unless the operator gives one. */
const optional = { default: undefined } as const;

/**
 * Every variable that Portage reads, with its default and what it is for, and so every limit of the service
 * (DESIGN: "bounded"). `.env.example` is written from this table and a test compares the two.
 */
export const settings = {
  NODE_ENV: oneOf(
    'development',
    'test',
    'production',
  )({
    default: 'development',
    desc: 'production generates no secrets and uses no embedded database: what is missing is an error.',
  }),
  PORTAGE_DIR: str({
    default: '.portage',
    desc: 'Where npm start keeps the embedded database and generated secrets.',
  }),
  PORTAGE_OPERATOR: nameOfOne({
    ...optional,
    desc: 'Who gives the commands of the command line, as the audit names them. Without it: the user that the operating system knows.',
  }),

  API_HOST: str({ default: '127.0.0.1', desc: 'Address the API listens on.' }),
  API_PORT: wholeNumber(
    0,
    65535,
  )({
    default: 3000,
    desc: 'Port of the API: REST, /docs, /openapi.json, /queues, /health/live, /health/ready, /metrics. 0 picks a free one.',
  }),
  TRUSTED_PROXIES: trustedProxies({
    ...optional,
    desc: 'Proxies in front of the API whose X-Forwarded-For is believed, separated by commas: addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal. Without it the header is ignored.',
  }),
  WORKER_HOST: str({ default: '127.0.0.1', desc: "Address of the worker's health and metrics." }),
  WORKER_PORT: wholeNumber(
    0,
    65535,
  )({
    default: 3001,
    desc: "Port of the worker's /health/live, /health/ready and /metrics. 0 picks a free one.",
  }),
  IMPORT_CONCURRENCY: wholeNumber(
    1,
    500,
  )({
    default: 64,
    desc: 'Accounts that one worker has in hand at once. What its statements do together is found among them.',
  }),
  WORKER_CONCURRENCY: wholeNumber(
    1,
    500,
  )({
    default: 16,
    desc: 'Jobs of each other queue that one worker has in hand at once.',
  }),

  DATABASE_URL: addressOf(
    'postgres',
    'postgresql',
  )({
    ...optional,
    desc: 'PostgreSQL. Without it, outside production: the embedded server that npm start runs.',
  }),
  DATABASE_POOL: wholeNumber(
    2,
    200,
  )({
    default: 10,
    desc: 'Connections of one process to PostgreSQL, without those of the queue.',
  }),
  INSERT_BATCH_ROWS: wholeNumber(
    1,
    1_000,
  )({
    default: 64,
    desc: 'Accounts that the API stores in one statement, of those that wait to be stored at the same time.',
  }),
  INSERT_BATCH_BYTES: wholeNumber(
    1,
    100_000_000,
  )({
    default: 4_000_000,
    desc: 'Payloads in one such statement, in characters; a larger one goes alone.',
  }),
  LOOKUP_BATCH_QUESTIONS: wholeNumber(
    1,
    1_000,
  )({
    default: 256,
    desc: 'Questions of rules about stored accounts in one statement, of the accounts that are checked at the same time.',
  }),
  LOOKUP_BATCH_VALUES: wholeNumber(
    1,
    1_000_000,
  )({
    default: 10_000,
    desc: 'References, addresses and the like in one such statement; an account with more asks alone.',
  }),
  WORKER_BATCH_ACCOUNTS: wholeNumber(
    1,
    500,
  )({
    default: 25,
    desc: 'Accounts that a worker starts, looks up, creates or adds to in one statement, of those that it has in hand.',
  }),
  WORKER_BATCH_PARTS: wholeNumber(
    1,
    1_000_000,
  )({
    default: 5_000,
    desc: 'Parts (customers, transactions ...) of the accounts in one such statement; a larger account goes alone.',
  }),
  TRANSACTIONS_TOGETHER: wholeNumber(
    0,
    10_000,
  )({
    default: 100,
    desc: 'Transactions of a request that is done in one statement with others; one with more is done alone.',
  }),
  BATCHES_AT_ONCE: wholeNumber(
    1,
    50,
  )({
    default: 3,
    desc: 'Such statements of one kind at once, where those before are slow or the next one is full.',
  }),
  BATCH_SLOW_AFTER_MS: wholeNumber(
    1,
    60_000,
  )({
    default: 50,
    desc: 'How long such a statement takes until the next one no longer waits for it. Until then it gathers items, unless it is full.',
  }),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(
    100,
    600_000,
  )({
    default: 30_000,
    desc: 'Longest run of one SQL statement.',
  }),
  REDIS_URL: addressOf(
    'redis',
    'rediss',
  )({
    ...optional,
    desc: 'Redis for the queues (maxmemory-policy noeviction). Without it the queues live in PostgreSQL.',
  }),

  TOKEN_SECRET: secret(32)({
    ...optional,
    desc: 'Signs access tokens; at least 32 characters, the same on every API instance. Generated under PORTAGE_DIR outside production.',
  }),
  TOKEN_SECRET_PREVIOUS: secret(32)({
    ...optional,
    desc: 'Tokens signed with this one are accepted too, never made. To change the secret and refuse nobody: restart all instances with the new one here, then with the two exchanged, and after TOKEN_LIFETIME_SECONDS without the old one.',
  }),
  TOKEN_LIFETIME_SECONDS: wholeNumber(
    30,
    86_400,
  )({
    default: 3_600,
    desc: 'How long an access token is valid.',
  }),
  REFRESH_TOKEN_LIFETIME_SECONDS: wholeNumber(
    60,
    7_776_000,
  )({
    default: 604_800,
    desc: 'How long a refresh token is valid. Each is used once.',
  }),
  TOKEN_ATTEMPTS_PER_MINUTE: wholeNumber(
    0,
    1_000_000,
  )({
    default: 600,
    desc: 'Most attempts of one address (of one /64 network in IPv6) to obtain a token in a minute, right or wrong; more is 429. 0: no limit.',
  }),
  TOKEN_FAILURES_PER_ADDRESS: wholeNumber(
    0,
    1_000_000,
  )({
    default: 20,
    desc: 'Most failed ones of one address in TOKEN_FAILURE_WINDOW_SECONDS; after that every attempt is 429. 0: no limit.',
  }),
  TOKEN_FAILURES_PER_KEY: wholeNumber(
    0,
    1_000_000,
  )({
    default: 100,
    desc: 'Most failed ones with one prefix of an API key, from all addresses, in the same time; after that the key is 429 from addresses that have not used it before. 0: no limit.',
  }),
  TOKEN_FAILURE_WINDOW_SECONDS: wholeNumber(
    1,
    86_400,
  )({
    default: 300,
    desc: 'How long failed attempts are counted.',
  }),
  ORGANISATION_REQUESTS_PER_MINUTE: wholeNumber(
    0,
    10_000_000,
  )({
    default: 0,
    desc: 'Most data-import requests of one organisation in a minute; more is 429. 0: no limit.',
  }),
  RATE_LIMIT_TIMEOUT_MS: wholeNumber(
    10,
    10_000,
  )({
    default: 500,
    desc: 'Longest wait for the counts that all instances share. After that an instance counts for itself.',
  }),
  GRAPHQL_INTROSPECTION: onOrOff({
    ...optional,
    desc: 'Whether the GraphQL schema can be read at /v1/graphql/. Without it: outside production only.',
  }),
  GRAPHQL_MAX_BYTES: wholeNumber(
    500,
    1_000_000,
  )({
    default: 16_384,
    desc: 'Largest body of a GraphQL request; more is 413.',
  }),
  GRAPHQL_MAX_TOKENS: wholeNumber(
    20,
    100_000,
  )({
    default: 1_000,
    desc: 'Most words and signs in a GraphQL query.',
  }),
  GRAPHQL_MAX_DEPTH: wholeNumber(2, 100)({ default: 16, desc: 'Deepest nesting of a GraphQL query.' }),
  GRAPHQL_MAX_ALIASES: wholeNumber(
    0,
    1_000,
  )({
    default: 5,
    desc: 'Most aliases in a GraphQL query, and so the most tokens that one request can ask for.',
  }),
  BULL_BOARD_USER: str({ default: 'operator', desc: 'User name for /queues.' }),
  BULL_BOARD_PASSWORD: comparedSecret(8)({
    ...optional,
    desc: 'Password for /queues. Generated under PORTAGE_DIR outside production; in production without it the board is off. Wrong ones are limited by TOKEN_FAILURES_PER_ADDRESS.',
  }),
  BULL_BOARD_READ_ONLY: onOrOff({
    default: false,
    desc: 'Whether the board only shows: no retrying, promoting, pausing or removing of jobs.',
  }),
  METRICS_TOKEN: headerToken(16)({
    ...optional,
    desc: 'Token for /metrics of API and worker, sent as Authorization: Bearer. Generated under PORTAGE_DIR outside production; in production without it the metrics are off.',
  }),

  METRICS_TIMEOUT_MS: wholeNumber(
    10,
    10_000,
  )({
    default: 1_000,
    desc: 'Longest wait of a scrape for the queue and the database. What is late is left out of the metrics.',
  }),

  OTEL_EXPORTER_OTLP_ENDPOINT: addressOf(
    'http',
    'https',
  )({
    ...optional,
    desc: 'Collector that traces are sent to by OTLP over HTTP (its address without /v1/traces). Without it nothing is traced. OTEL_EXPORTER_OTLP_HEADERS is sent along, as OpenTelemetry has it.',
  }),
  OTEL_TRACES_PERCENT: wholeNumber(
    0,
    100,
  )({
    default: 100,
    desc: 'How many of a hundred requests are traced, where the caller does not say itself.',
  }),

  STRIPE_API_KEY: vendorKey({
    ...optional,
    desc: 'Key that card payment methods are looked up with at Stripe; a restricted one that may read them is enough. Without it such instructions answer 500 until it is set.',
  }),
  STRIPE_API_BASE: vendorBase({ default: 'https://api.stripe.com', desc: "Where Stripe's API is." }),
  GOCARDLESS_ACCESS_TOKEN: vendorKey({
    ...optional,
    desc: 'Token that mandates are looked up with at GoCardless; a read-only one is enough. Without it such instructions answer 500 until it is set.',
  }),
  GOCARDLESS_API_BASE: vendorBase({
    default: 'https://api.gocardless.com',
    desc: "Where GoCardless's API is.",
  }),
  PAYMENT_INSTRUCTIONS_PER_SECOND: wholeNumber(
    1,
    10_000,
  )({
    default: 20,
    desc: 'Instructions that all workers together begin to verify in a second, to keep within the limits of the payment vendors.',
  }),
  VENDOR_TIMEOUT_MS: wholeNumber(
    50,
    60_000,
  )({
    default: 6_000,
    desc: 'Longest wait for one answer of a payment vendor, from connecting to its last byte. Less where three would not fit into OUTCOME_WAIT_MS.',
  }),
  VENDOR_MAX_ANSWER_BYTES: wholeNumber(
    1_000,
    10_000_000,
  )({
    default: 262_144,
    desc: 'Longest answer of a payment vendor that is read.',
  }),
  VENDOR_BREAKER_FAILURES: wholeNumber(
    1,
    10_000,
  )({
    default: 20,
    desc: 'After so many failures in a row a payment vendor is left alone for a while. Refusals are no failures.',
  }),
  VENDOR_BREAKER_PAUSE_MS: wholeNumber(
    10,
    600_000,
  )({
    default: 5_000,
    desc: 'How long it is left alone, before one question tries whether it is back.',
  }),

  DOCUMENT_STORE_URL: documentStoreUrl({
    ...optional,
    desc: 'Where documents are: file:///folder, or s3://bucket?region=R. For a store other than Amazon: &endpoint=URL, and often &forcePathStyle=true. Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from wherever else the AWS SDK looks. Without it: the folder documents under PORTAGE_DIR.',
  }),
  DOCUMENT_STORE_TIMEOUT_MS: wholeNumber(
    100,
    60_000,
  )({
    default: 5_000,
    desc: 'Longest wait for one answer of the document store.',
  }),
  DOCUMENT_STORE_CONCURRENCY: wholeNumber(
    1,
    500,
  )({
    default: 32,
    desc: 'Questions that one process has before the document store at once.',
  }),
  DOCUMENT_CHECK_TIMEOUT_MS: wholeNumber(
    100,
    600_000,
  )({
    default: 20_000,
    desc: 'Longest time of finding out which documents of one request exist.',
  }),
  DOCUMENT_READ_TIMEOUT_MS: wholeNumber(
    100,
    3_600_000,
  )({
    default: 60_000,
    desc: 'Longest time of reading one document.',
  }),
  MAX_DOCUMENT_BYTES: wholeNumber(
    1_000,
    10_000_000_000,
  )({
    default: 104_857_600,
    desc: 'Largest document that is read.',
  }),

  SMTP_URL: smtpUrl({
    ...optional,
    desc: 'Mail server: smtp://host:port (STARTTLS where it is offered) or smtps://host:port (TLS from the start), with user:password@ before the host if need be. With a password STARTTLS is demanded, unless ?requireTLS=false. Without it e-mails stay in the outbox table.',
  }),
  SMTP_TIMEOUT_MS: wholeNumber(
    100,
    600_000,
  )({
    default: 15_000,
    desc: 'Longest time of handing one e-mail to the mail server, from connecting to its last answer.',
  }),
  MAIL_FROM: mailSender({
    default: 'no-reply@localhost',
    desc: 'Sender of e-mails: an address, or Name <address>.',
  }),

  PLATFORM_TIMEZONE: timeZone({
    default: 'UTC',
    desc: 'Time zone whose offset v2 datetimes carry, and whose calendar day is "today".',
  }),
  LOG_LEVEL: oneOf(
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
    'silent',
  )({
    default: 'info',
    desc: 'Least severe level that is logged.',
  }),
  LOG_DELAY_MS: wholeNumber(
    0,
    10_000,
  )({
    default: 100,
    desc: 'How long a line of the log may wait to be written with others; warnings and failures do not. 0: none waits.',
  }),
  LOG_REQUESTS: onOrOff({ default: true, desc: 'One log line a request.' }),

  MAX_BODY_BYTES: wholeNumber(
    1_000,
    100_000_000,
  )({
    default: 10_485_760,
    desc: 'Largest request body; more is 413.',
  }),
  MAX_ARRAY_ITEMS: wholeNumber(1, 1_000_000)({ default: 10_000, desc: 'Longest array in a body.' }),
  MAX_NESTING: wholeNumber(8, 1_000)({ default: 32, desc: 'Deepest nesting of a body.' }),
  MAX_ERRORS: wholeNumber(2, 100_000)({ default: 1_000, desc: 'Most validation errors in one answer.' }),
  MAX_LIST_PAGE: wholeNumber(
    1,
    100_000,
  )({
    default: 10_000,
    desc: 'Largest `limit` of the list endpoints.',
  }),
  LIST_CHUNK_ROWS: wholeNumber(
    1,
    50_000,
  )({
    default: 2_000,
    desc: 'Rows that a list endpoint holds in memory at once while it streams.',
  }),
  HEADERS_TIMEOUT_MS: wholeNumber(
    1_000,
    600_000,
  )({
    default: 10_000,
    desc: 'Longest time a client may take to send the headers of a request.',
  }),
  REQUEST_TIMEOUT_MS: wholeNumber(
    1_000,
    600_000,
  )({
    default: 30_000,
    desc: 'Longest time a client may take to send a request, with its body.',
  }),
  KEEP_ALIVE_TIMEOUT_MS: wholeNumber(
    1_000,
    600_000,
  )({
    default: 72_000,
    desc: "Idle time after which a kept-alive connection is closed. Longer than your load balancer's.",
  }),
  ENQUEUE_TIMEOUT_MS: wholeNumber(
    10,
    60_000,
  )({
    default: 1_000,
    desc: 'Longest wait of a request for the queue. After that the sweeper enqueues the job.',
  }),
  OUTCOME_WAIT_MS: wholeNumber(
    100,
    600_000,
  )({
    default: 25_000,
    desc: 'Longest wait of a request for the worker that does it. After that 503; the work is done all the same.',
  }),
  OUTCOME_POLL_MS: wholeNumber(
    10,
    60_000,
  )({
    default: 1_000,
    desc: 'How often outcomes are asked for, in case an announcement was missed.',
  }),
  REQUEST_MEMORY_HOURS: wholeNumber(
    1,
    8_760,
  )({
    default: 72,
    desc: 'How long finished requests and the answers to an Idempotency-Key are kept.',
  }),
  CACHE_SECONDS: wholeNumber(
    0,
    3_600,
  )({
    default: 30,
    desc: 'Longest time suppliers and keys are remembered. Changes are announced at once; this is the fallback.',
  }),

  SHUTDOWN_GRACE_MS: wholeNumber(
    0,
    60_000,
  )({
    default: 1_000,
    desc: 'After SIGTERM the API says that it is not ready, and still takes requests for this long.',
  }),
  DRAIN_TIMEOUT_MS: wholeNumber(
    100,
    600_000,
  )({
    default: 25_000,
    desc: 'After SIGTERM the longest wait for requests and jobs in hand.',
  }),
  SCHEDULE_WINDOW_MAX_DAYS: wholeNumber(
    1,
    365,
  )({
    default: 4,
    desc: 'How far ahead a schedule window may end; also the default length of a window.',
  }),
  JOB_LOCK_MS: wholeNumber(
    1_000,
    600_000,
  )({
    default: 10_000,
    desc: 'A job whose worker has not been heard of for so long is given to another.',
  }),
  WORKER_STUCK_MS: wholeNumber(
    100,
    86_400_000,
  )({
    default: 300_000,
    desc: 'A worker is no longer alive (/health/live) when for so long all its jobs of a queue have not ended, or it has taken none although jobs wait.',
  }),
  SWEEP_INTERVAL_MS: wholeNumber(
    100,
    3_600_000,
  )({
    default: 10_000,
    desc: 'How often a worker looks for processes whose job was lost.',
  }),
  SWEEP_AFTER_MS: wholeNumber(
    100,
    3_600_000,
  )({
    default: 30_000,
    desc: 'How long a process waits for its job before the sweeper enqueues it again.',
  }),
  SWEEP_BATCH: wholeNumber(1, 10_000)({ default: 1_000, desc: 'Processes that one sweep step looks at.' }),
  SWEEP_QUEUE_DEPTH: wholeNumber(
    1,
    1_000_000,
  )({
    default: 5_000,
    desc: 'A sweep that finds jobs missing goes on at once while fewer jobs than this are in the queue.',
  }),
};
