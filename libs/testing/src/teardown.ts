import { RunServers } from './run-servers';

/** The global tear-down of every project with servers. */
export default async function tearDown(): Promise<void> {
  await RunServers.instance.stop();
}
