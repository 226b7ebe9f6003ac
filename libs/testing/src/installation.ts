// One installation for every suite, its servers, and the faults of a network before them.
export { createCertificates } from './installation/certificates';
export { FaultProxy, type Watcher } from './installation/fault-proxy';
export { Installation, type InstallationNeeds } from './installation/installation';
export { Pooler, poolerIsMissing } from './installation/pooler';
export { findRedisProgram } from './installation/redis-servers';
export { seededRandom } from './installation/seeded-random';
export { type PostgresNeeds, Servers } from './installation/servers';
export { ReplicatedPostgres } from './installation/standby';
