import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_HEAP_MEBIBYTES } from '@portage/local-environment';
import { newDirectory } from '@portage/testing/test-directory';

const ROOT = join(__dirname, '..');

/** Runs npm or npx in this checkout, without settings of the npm that runs the tests. */
function run(command: string, ...args: string[]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return spawnSync(command, args, { cwd: ROOT, env: Object.fromEntries(inherited), encoding: 'utf8' });
}

describe('the command line', () => {
  const command = ['process', 'list', '--json'];
  const refusal = "required option '--supplier <code>' not specified";

  it('is the program portage, whose standard output and status npx leaves as they are', () => {
    const { status, stdout, stderr } = run('npx', 'portage', ...command);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(refusal);
  });

  it('has the alias npm run cli, before whose output npm prints the command', () => {
    const { status, stdout, stderr } = run('npm', 'run', 'cli', '--', ...command);
    expect(status).toBe(2);
    expect(stdout).toMatch(/^\n> portage@\S+ cli\n> .*\n\n$/);
    expect(stderr).toContain(refusal);
  });

  it('builds nothing, and says what to do in a checkout that is not built', () => {
    const checkout = newDirectory();
    for (const folder of ['apps/cli/bin', 'scripts'])
      cpSync(join(ROOT, folder), join(checkout, folder), { recursive: true });
    const { status, stdout, stderr } = run('node', join(checkout, 'apps/cli/bin/portage.mjs'), '--help');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe('Portage is not built. Run npm start, or npm ci and npm run build.\n');
  });
});

describe('the start scripts', () => {
  const { scripts } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  it.each(['start:api', 'start:worker'])('limit the heap as the image and the manifests do: %s', (name) => {
    expect(scripts[name]).toContain(`node --max-old-space-size=${SERVICE_HEAP_MEBIBYTES} `);
  });
});

describe('package-lock.json', () => {
  interface Package {
    dev?: boolean;
    link?: boolean;
    os?: string[];
    cpu?: string[];
    libc?: string[];
    resolved?: string;
  }
  const { packages } = JSON.parse(readFileSync(join(__dirname, '..', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Package>;
  };
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );

  it('has at most 520 packages that npm start installs on Linux', () => {
    const runsOn = (names: string[] | undefined, name: string) => !names || names.includes(name);
    const needed = installed.filter(
      ([, { dev, os, cpu, libc }]) =>
        !dev && runsOn(os, 'linux') && runsOn(cpu, 'x64') && runsOn(libc, 'glibc'),
    );
    expect(needed.length).toBeGreaterThan(300);
    expect(needed.length).toBeLessThanOrEqual(520);
  });

  it('has no addresses of a registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
