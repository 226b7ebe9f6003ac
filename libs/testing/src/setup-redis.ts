import { RunServers } from './run-servers';

/** The global set-up of tests that start PostgreSQL themselves. */
export default async function setUp(): Promise<void> {
  await RunServers.instance.startRedis();
}
