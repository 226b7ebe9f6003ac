// docker and docker compose, with docker-compose.yml as compose.override.yml changes it.
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/prepare.mjs';

const FILES = ['docker-compose.yml', 'test/containers/compose.override.yml'].map((file) => join(root, file));
/** The commands of one part of the run, such as the build of the images, end before this time. */
let deadline = Infinity;

/** Gives the commands that follow `minutes` in all. */
export function allowMinutes(minutes) {
  deadline = Date.now() + minutes * 60_000;
}

/** What is left for a command, which is ended afterwards. 0 would be no limit. */
export const timeLeft = () => (deadline === Infinity ? 0 : Math.max(1, deadline - Date.now()));

/** Runs docker and returns its output. Throws with its error output, unless `mayFail`. */
export function docker(args, { mayFail = false, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync('docker', args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: timeLeft(),
    env: { ...process.env, ...env },
  });
  if (error?.code === 'ETIMEDOUT') throw new Error(`docker ${args.join(' ')}: no time is left`);
  if (status !== 0 && !mayFail) throw new Error(`docker ${args.join(' ')}: ${stderr || stdout}`);
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** Runs docker compose with the files of the test. */
export function compose(args, options) {
  return docker(
    ['compose', ...FILES.flatMap((file) => ['--file', file]), '--progress', 'quiet', ...args],
    options,
  );
}

/** The ids of the containers of a service, in the order of their numbers. */
export function containersOf(service) {
  const { stdout } = compose(['ps', '--all', '--format', '{{.Name}} {{.ID}}', service]);
  return stdout
    .split('\n')
    .filter(Boolean)
    .sort()
    .map((line) => line.split(' ')[1]);
}

/** A field of `docker inspect`, as JSON. */
export function inspect(container, field) {
  return JSON.parse(docker(['inspect', '--format', `{{json ${field}}}`, container]).stdout);
}

/** The address of a container in its network. */
export function addressOf(container) {
  const [network] = Object.values(inspect(container, '.NetworkSettings.Networks'));
  return network.IPAddress;
}

/** What a container has written. */
export function logOf(container) {
  const { stdout, stderr } = docker(['logs', container], { mayFail: true });
  return stdout + stderr;
}

/**
 * Stops a container as `docker compose stop` does, while this program goes on. Returns its exit status and how long it took
 * and may take.
 */
export async function stop(container) {
  const grace = inspect(container, '.Config.StopTimeout') ?? 10;
  const start = Date.now();
  await promisify(execFile)('docker', ['stop', '--time', String(grace), container], { timeout: timeLeft() });
  return { status: inspect(container, '.State.ExitCode'), seconds: (Date.now() - start) / 1_000, grace };
}
