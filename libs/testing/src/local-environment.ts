export { EmbeddedPostgres } from './local-environment/embedded-postgres';
export { freePort } from './local-environment/free-port';
export { makePrivateDirectory } from './local-environment/private-directory';
export { SandboxVendors } from './sandbox-vendors/sandbox-vendors';
export {
  EXIT_WITH_PARENT,
  SERVICE_HEAP_MEBIBYTES,
  type ServiceOptions,
  ServiceProcess,
} from './local-environment/service-process';
