export { type DatabaseServers, parseDatabaseUrl } from './database-url';
export { httpTimeouts } from './http-timeouts';
export { ConfigError, loadConfig, type Config, type Part } from './config';
export { CONFIG, ConfigModule } from './config.module';
export {
  announceEmbeddedDatabase,
  runningEmbeddedDatabase,
  withdrawEmbeddedDatabase,
} from './embedded-database';
export { type DocumentStoreAddress } from './document-store-url';
export { HashedSecret } from './hashed-secret';
export { localSecret } from './local-secrets';
export { settings } from './settings';
export { type SmtpAddress } from './smtp-url';
export { type RedisAddress, type RedisHost, type RedisLogin, type RedisTls } from './redis-url';
export { readRelease } from './release';
