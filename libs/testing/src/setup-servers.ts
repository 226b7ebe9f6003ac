import { RunServers } from './run-servers';

/** The global set-up of integration tests. */
export default async function setUp(): Promise<void> {
  await RunServers.instance.startServers();
}
