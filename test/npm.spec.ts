import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_HEAP_MEBIBYTES } from '@portage/testing/local-environment';

/** npm with the `.npmrc` of this repository, in a package whose script prints its arguments as JSON. */
describe('npm with the .npmrc of the repository', () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'portage-npm-'));
    copyFileSync(join(__dirname, '..', '.npmrc'), join(directory, '.npmrc'));
    const scripts = { cli: 'node print.cjs' };
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'p', version: '1.0.0', scripts }));
    writeFileSync(join(directory, 'print.cjs'), 'console.log(JSON.stringify(process.argv.slice(2)))');
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const npm = (...args: string[]) => {
    // Settings of the npm that runs the tests do not reach the one under test.
    const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    return spawnSync('npm', args, {
      cwd: directory,
      env: Object.fromEntries(inherited),
      encoding: 'utf8',
    });
  };

  it('leaves standard output to the script', () => {
    const { status, stdout } = npm('run', 'cli', '--', 'supplier', 'list', '--json');
    expect([status, stdout]).toEqual([0, '["supplier","list","--json"]\n']);
  });

  it('reports its own failures on standard error', () => {
    const { status, stderr } = npm('run', 'clii');
    expect([status, stderr]).toEqual([1, expect.stringContaining('Missing script: "clii"')]);
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

  it('has at most 420 packages that npm start installs on Linux', () => {
    const runsOn = (names: string[] | undefined, name: string) => !names || names.includes(name);
    const needed = installed.filter(
      ([, { dev, os, cpu, libc }]) =>
        !dev && runsOn(os, 'linux') && runsOn(cpu, 'x64') && runsOn(libc, 'glibc'),
    );
    expect(needed.length).toBeGreaterThan(300);
    expect(needed.length).toBeLessThanOrEqual(420);
  });

  it('has no addresses of a registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
