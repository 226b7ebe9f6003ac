// Runs services of docker-compose.yml with an engine that has no `docker compose`: what this file uses of the format, no
// more. Ports are not published, so that nothing of this machine is in the way.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';

const READY_TIMEOUT_MS = 180_000;

/** Runs docker. Throws with its error output, unless `mayFail`. */
export function docker(args, { mayFail = false } = {}) {
  const { status, stdout, stderr } = spawnSync('docker', args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0 && !mayFail) throw new Error(`docker ${args.join(' ')}: ${stderr || stdout}`);
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

const flags = (name, values) => values.flatMap((value) => [name, value]);
/** Variables have their defaults, and `$$` stands for `$`. */
const substituted = (text) =>
  String(text)
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll('$$', '$');
const seconds = (duration) => Number(/^(\d+)s$/.exec(duration)[1]);

export class Composition {
  #root;
  #project;
  #services;

  /**
   * @param images other images for services, by the name of the service; `portage` is the one of all programs
   * @param replaced services that stand-ins replace: their image, command and volumes
   */
  constructor(root, project, images, replaced) {
    this.#root = root;
    this.#project = project;
    const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
    this.#services = services;
    for (const [name, service] of Object.entries(services))
      if (service.build) service.image = images.portage;
      else if (replaced[name]) Object.assign(service, { healthcheck: undefined }, replaced[name]);
      else service.image = images[name] ?? service.image;
  }

  /** The name of the container of a service. */
  container(name) {
    return `${this.#project}-${name}`;
  }

  graceSeconds(name) {
    return seconds(this.#services[name].stop_grace_period ?? '10s');
  }

  /** Starts services, each after those that it depends on have their condition. */
  async up(...names) {
    docker(['network', 'create', this.#project], { mayFail: true });
    const started = new Map();
    const start = (name) => {
      if (!started.has(name)) started.set(name, this.#start(name, start));
      return started.get(name);
    };
    await Promise.all(names.map(start));
    for (const name of names) await this.waitUntil(name, 'service_healthy');
  }

  async #start(name, startFirst) {
    const { depends_on: conditions = {} } = this.#services[name];
    await Promise.all(
      Object.entries(conditions).map(async ([other, { condition }]) => {
        await startFirst(other);
        await this.waitUntil(other, condition);
      }),
    );
    docker(['run', '--detach', '--name', this.container(name), ...this.#options(name)]);
  }

  /** Runs a command of a service in a container of its own, and returns its outcome. */
  run(name, args, env = {}) {
    return docker(['run', '--rm', ...this.#options(name, args, env)], { mayFail: true });
  }

  /** Options, image and command for `docker run`. */
  #options(name, args, env = {}) {
    const service = this.#services[name];
    const [program, ...first] = service.entrypoint ?? [];
    const command = args ?? service.command ?? [];
    const shared = /^service:(.*)$/.exec(service.network_mode ?? '');
    const network = shared
      ? ['--network', `container:${this.container(shared[1])}`]
      : service.network_mode
        ? ['--network', service.network_mode]
        : ['--network', this.#project, '--network-alias', name];
    const environment = Object.entries({ ...service.environment, ...env }).map(
      ([variable, value]) => `${variable}=${substituted(value)}`,
    );
    return [
      ...network,
      ...flags('--label', [this.#project]),
      ...flags('--env', environment),
      ...flags(
        '--volume',
        (service.volumes ?? []).map((volume) => this.#volume(volume)),
      ),
      ...flags('--cap-drop', service.cap_drop ?? []),
      ...flags('--security-opt', service.security_opt ?? []),
      ...flags('--tmpfs', service.tmpfs ?? []),
      ...(service.read_only ? ['--read-only'] : []),
      ...(service.user ? ['--user', service.user] : []),
      ...(program ? ['--entrypoint', program] : []),
      ...healthOptions(service.healthcheck),
      service.image,
      ...[...first, ...command].map(substituted),
    ];
  }

  #volume(volume) {
    return volume.startsWith('./') ? join(this.#root, volume) : `${this.#project}-${volume}`;
  }

  async waitUntil(name, condition) {
    const end = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < end) {
      const { stdout } = docker(['inspect', '--format', '{{json .State}}', this.container(name)]);
      const { Status: status, ExitCode: exitCode, Health: health } = JSON.parse(stdout);
      if (condition === 'service_completed_successfully') {
        if (status === 'exited' && exitCode === 0) return;
        if (status === 'exited') throw new Error(`${name} ended with status ${exitCode}:\n${this.log(name)}`);
      } else {
        if (status !== 'running' && status !== 'created')
          throw new Error(`${name} is ${status}:\n${this.log(name)}`);
        if (condition === 'service_started' || !health || health.Status === 'healthy') return;
      }
      await sleep(500);
    }
    throw new Error(`${name} did not become ${condition}:\n${this.log(name)}`);
  }

  log(name) {
    const { stdout, stderr } = docker(['logs', this.container(name)], { mayFail: true });
    return stdout + stderr;
  }

  /** Stops a container as `docker compose stop` does. Returns its exit status and the time that it took. */
  stop(name) {
    const start = Date.now();
    docker(['stop', '--time', String(this.graceSeconds(name)), this.container(name)]);
    const { stdout } = docker(['inspect', '--format', '{{.State.ExitCode}}', this.container(name)]);
    return { status: Number(stdout), seconds: (Date.now() - start) / 1_000 };
  }

  /** Removes containers, volumes and the network of this run. */
  down() {
    const ids = docker(['ps', '--all', '--quiet', '--filter', `label=${this.#project}`]).stdout.split('\n');
    for (const id of ids.filter(Boolean)) docker(['rm', '--force', '--volumes', id], { mayFail: true });
    const volumes = docker(['volume', 'ls', '--quiet', '--filter', `name=^${this.#project}-`]).stdout;
    for (const volume of volumes.split('\n').filter(Boolean))
      docker(['volume', 'rm', volume], { mayFail: true });
    docker(['network', 'rm', this.#project], { mayFail: true });
  }
}

function healthOptions(check) {
  if (!check) return [];
  if (check.disable) return ['--no-healthcheck'];
  const [kind, ...words] = check.test.map(substituted);
  const command =
    kind === 'CMD-SHELL' ? words[0] : words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return [
    ...['--health-cmd', command, '--health-interval', check.interval, '--health-timeout', check.timeout],
    ...['--health-retries', String(check.retries)],
    ...(check.start_period ? ['--health-start-period', check.start_period] : []),
  ];
}
