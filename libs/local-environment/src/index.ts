export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres';
export { freePort } from './free-port';
export { ServiceProcess, type ServiceOptions } from './service-process';
