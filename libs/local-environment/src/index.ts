export { EmbeddedPostgres } from './embedded-postgres';
export { freePort } from './free-port';
export { makePrivateDirectory } from './private-directory';
export { SandboxVendors } from './sandbox-vendors/sandbox-vendors';
export { ServiceProcess } from './service-process';
