export { EmbeddedPostgres } from './embedded-postgres';
export { freePort } from './free-port';
export { makePrivateDirectory } from './private-directory';
export { SandboxVendors } from './sandbox-vendors/sandbox-vendors';
export { SERVICE_HEAP_MEBIBYTES, ServiceProcess } from './service-process';
