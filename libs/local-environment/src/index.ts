export { EmbeddedPostgres } from './embedded-postgres';
export { freePort } from './free-port';
export { makePrivateDirectory } from './private-directory';
export { SandboxVendors } from './sandbox-vendors/sandbox-vendors';
export {
  EXIT_WITH_PARENT,
  SERVICE_HEAP_MEBIBYTES,
  type ServiceOptions,
  ServiceProcess,
} from './service-process';
