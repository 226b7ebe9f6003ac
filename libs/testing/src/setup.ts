import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from './built-programs';
import { RunServers } from './run-servers';

const PREPARE = join(REPOSITORY, 'scripts', 'prepare.mjs');

/** Starts what the suites of the run need, by their paths. */
export default async function setUp(): Promise<void> {
  const paths = (globalThis as unknown as { portageSuites: readonly string[] }).portageSuites;
  const some = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  const servers = RunServers.instance;
  servers.createDirectory();
  // Suites run the built programs.
  if (some(/(int|e2e)-spec\.ts$|\/groups\/(integration|tenants)-/))
    execFileSync(process.execPath, [PREPARE, '--all'], { stdio: ['ignore', 2, 2] });
  if (some(/int-spec\.ts$|\/groups\/integration-/)) await servers.startServers();
  if (some(/e2e-spec\.ts$/)) await servers.startOperators();
  await servers.startServices(paths.filter((path) => /\/e2e\/tenants\/|\/groups\/tenants-/.test(path)));
  if (some(/\/test\/console\//)) await servers.startConsole();
}
