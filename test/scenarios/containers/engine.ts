import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY, until } from '@portage/testing';

const FOLDER = join(REPOSITORY, 'test', 'scenarios', 'containers');
const FILES = [join(REPOSITORY, 'docker-compose.yml'), join(FOLDER, 'compose.override.yml')];
/** The build of the images takes the longest. */
const TIMEOUT_MS = 25 * 60_000;
const HEALTHY_TIMEOUT_MS = 300_000;

interface Output {
  status: number;
  stdout: string;
  stderr: string;
}

/** What this machine lacks, and how to mend it. @throws Error instead if PORTAGE_TEST_CONTAINERS=1 */
export function findMissing(): string | undefined {
  const runs = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  const lacks: string[] = [];
  if (!runs('docker', 'info'))
    lacks.push('no container engine answers (docker info); install and start the Debian package docker.io');
  if (!runs('docker', 'compose', 'version'))
    lacks.push('docker has no compose plugin; install docker-compose of Debian 13');
  // An earlier run has left the first base image.
  if (!runs('docker', 'image', 'inspect', 'portage-test/debian')) {
    if (!runs('mmdebstrap', '--version'))
      lacks.push('the base images cannot be built; install the Debian package mmdebstrap');
    if (process.getuid?.() !== 0) lacks.push('the base images cannot be built; run the command as root');
  }
  if (lacks.length === 0) return undefined;
  if (process.env['PORTAGE_TEST_CONTAINERS'] === '1') throw new Error(lacks.join(', and '));
  return lacks.join(', and ');
}

/** Builds the images of the service and the stand-ins for those of other makers. */
export async function buildImages(): Promise<void> {
  await run(join(FOLDER, 'images', 'build.sh'));
  await compose('build', 'api');
}

/** Runs docker with the files of the test. @throws Error with the error output */
export async function compose(...args: readonly string[]): Promise<Output> {
  return docker('compose', ...FILES.flatMap((file) => ['--file', file]), '--progress', 'quiet', ...args);
}

export async function docker(...args: readonly string[]): Promise<Output> {
  return run('docker', ...args);
}

/** Runs a command that may fail. */
export async function attempt(command: Promise<Output>): Promise<Output> {
  return command.catch((error: unknown) => {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    if (typeof code !== 'number') throw error;
    return { status: code, stdout, stderr };
  });
}

/** The ids of the containers of a service, in the order of their numbers. */
export async function containersOf(service: string): Promise<string[]> {
  const { stdout } = await compose('ps', '--all', '--format', '{{.Name}} {{.ID}}', service);
  const lines = stdout.split('\n').filter(Boolean);
  return lines.sort().map((line) => line.split(' ')[1]!);
}

/** A field of `docker inspect`. */
export async function inspect<Field>(container: string, field: string): Promise<Field> {
  const { stdout } = await docker('inspect', '--format', `{{json ${field}}}`, container);
  return JSON.parse(stdout) as Field;
}

/** The address of a container in its network, which a restart may change. */
export async function addressOf(container: string): Promise<string> {
  const networks = await inspect<Record<string, { IPAddress: string }>>(
    container,
    '.NetworkSettings.Networks',
  );
  return Object.values(networks)[0]!.IPAddress;
}

/** What a container has written. */
export async function logOf(container: string): Promise<string> {
  const { stdout, stderr } = await docker('logs', container);
  return stdout + stderr;
}

/**
 * Stops a container as `docker compose stop` does.
 *
 * @returns how many seconds it took and may take
 * @throws Error if the program fails, or has to be killed
 */
export async function stop(container: string): Promise<{ took: number; grace: number }> {
  const grace = (await inspect<number | null>(container, '.Config.StopTimeout')) ?? 10;
  const since = performance.now();
  await docker('stop', '--time', String(grace), container);
  const took = (performance.now() - since) / 1_000;
  const status = await inspect<number>(container, '.State.ExitCode');
  if (status !== 0 || took >= grace)
    throw new Error(`A program ended with ${status} after ${took} s:\n${await logOf(container)}`);
  return { took, grace };
}

/** Waits for the health checks of containers. */
export async function untilHealthy(...containers: readonly string[]): Promise<void> {
  for (const container of containers)
    await until(
      async () => (await inspect<string>(container, '.State.Health.Status')) === 'healthy',
      `the container ${container} is not healthy`,
      HEALTHY_TIMEOUT_MS,
    );
}

async function run(command: string, ...args: readonly string[]): Promise<Output> {
  const options = { cwd: REPOSITORY, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 };
  return { status: 0, ...(await promisify(execFile)(command, args, options)) };
}
