import { cpus, totalmem } from 'node:os';
import type { Servers } from './environment/servers';

/** Describes the machine in one line. */
export function describeMachine(servers: Servers): string {
  const processors = cpus();
  const [{ model } = { model: 'processor' }] = processors;
  return [
    `${processors.length} cores (${model.trim()})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${servers.postgresVersion}`,
    servers.redis?.version ?? 'no Redis',
  ].join(', ');
}
