export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres';
export { freePort } from './free-port';
export { SandboxVendors } from './sandbox-vendors/sandbox-vendors';
export { ServiceProcess, type ServiceOptions } from './service-process';
