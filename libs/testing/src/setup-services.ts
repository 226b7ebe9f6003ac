import { RunServers } from './run-servers';

/** The global set-up of end-to-end tests that share their services. */
export default async function setUp(): Promise<void> {
  await RunServers.instance.startServices();
}
