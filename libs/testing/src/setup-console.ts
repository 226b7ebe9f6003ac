import { RunServers } from './run-servers';

/** The global set-up of the tests of the console, which share a Portage and a browser. */
export default async function setUp(): Promise<void> {
  await RunServers.instance.startConsole();
}
