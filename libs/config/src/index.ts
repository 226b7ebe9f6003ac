export { ConfigError, loadConfig, type Config, type Part } from './config';
export { CONFIG, ConfigModule } from './config.module';
export {
  announceEmbeddedDatabase,
  runningEmbeddedDatabase,
  withdrawEmbeddedDatabase,
  type EmbeddedDatabase,
} from './embedded-database';
export { envExample } from './env-example';
export { localSecret } from './local-secrets';
export { settings } from './settings';
