import { RunServers } from './run-servers';

/** Starts what the suites of the run need, by their paths. */
export default async function setUp(): Promise<void> {
  const paths = (globalThis as unknown as { portageSuites: readonly string[] }).portageSuites;
  const some = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  const servers = RunServers.instance;
  if (some(/int-spec\.ts$|\/groups\/integration-/)) await servers.startServers();
  if (some(/e2e-spec\.ts$/)) await servers.startOperators();
  if (some(/\/e2e\/tenants\/|\/groups\/tenants-/)) await servers.startServices();
  if (some(/\/test\/console\//)) await servers.startConsole();
}
