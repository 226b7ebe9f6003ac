// One installation for every suite, its servers, and the faults of a network before them.
export { type Certificates, createCertificates } from './installation/certificates';
export { FaultProxy, type Direction, type Watcher } from './installation/fault-proxy';
export {
  Installation,
  type InstallationNeeds,
  type PlacedProxy,
  type ProgramOptions,
  type Stop,
} from './installation/installation';
export { Pooler, poolerIsMissing } from './installation/pooler';
export {
  findRedisProgram,
  type RedisNeeds,
  RedisServers,
  type RedisTopology,
} from './installation/redis-servers';
export { seededRandom } from './installation/seeded-random';
export { type Database, type PostgresNeeds, type ServerNeeds, Servers } from './installation/servers';
export { ReplicatedPostgres, type Replication } from './installation/standby';
