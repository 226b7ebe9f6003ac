import { RunServers } from './run-servers';

/** The global set-up of end-to-end tests that start services of their own. */
export default async function setUp(): Promise<void> {
  await RunServers.instance.startOperators();
}
