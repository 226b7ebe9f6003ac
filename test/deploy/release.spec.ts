import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { announceSkipped, MISSING } from '@portage/testing/announce-skipped';
import { newDirectory } from '@portage/testing/test-directory';
import { type Document, documents, ROOT, text, trackedFiles, yaml } from './deployment';
import { findBuilder } from './kustomization';

const run = promisify(execFile);
const IMAGE = 'ghcr.io/example/portage';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}
const manifest = JSON.parse(text('package.json')) as Manifest;
const consolePages = JSON.parse(text('apps/console/package.json')) as Manifest;

describe('the files of a release', () => {
  const title = `portage-manifests-${manifest.version}`;
  const client = `portage-client-${manifest.version}.tgz`;
  const schema = `portage-account-schema-${manifest.version}.tgz`;
  let folder: string;
  const release = async (...args: string[]) =>
    run(process.execPath, [join(ROOT, 'scripts', 'release.mjs'), ...args]);

  beforeAll(async () => {
    folder = newDirectory();
    // packages/*/test/package.spec.ts pack these two.
    await writeFile(join(folder, client), 'the client');
    await writeFile(join(folder, schema), 'the validator');
    await release(folder, `${IMAGE}@${DIGEST}`);
  });

  it('are those that the page on releases lists, each with its checksum', async () => {
    const files = [client, schema, `${title}.tar.gz`, 'portage.cdx.json', 'SHA256SUMS'];
    expect((await readdir(folder)).sort()).toEqual([...files].sort());
    const page = text('docs/releases.md').replaceAll('<version>', manifest.version);
    for (const file of files) expect(page).toContain(`\`${file}\``);
    const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    expect(stdout.split('\n').filter((line) => line.endsWith(': OK'))).toHaveLength(files.length - 1);
    await writeFile(join(folder, client), 'another client');
    await expect(run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${client}: FAILED`),
    });
  });

  it('list every package of the programs in the version that is installed, and none of the tests', async () => {
    const bill = JSON.parse(await readFile(join(folder, 'portage.cdx.json'), 'utf8')) as {
      bomFormat: string;
      specVersion: string;
      components: { name: string; version: string; purl: string }[];
    };
    expect([bill.bomFormat, bill.specVersion]).toEqual(['CycloneDX', expect.stringMatching(/^1\.\d$/)]);
    const listed = bill.components.map(({ purl }) => decodeURIComponent(purl.split('?')[0]!));
    const purl = ([name, version]: [string, string]) => `pkg:npm/${name}@${version}`;
    const needed = [...Object.entries(manifest.dependencies), ...Object.entries(consolePages.dependencies)];
    const missing = needed.map(purl).filter((one) => !listed.includes(one));
    expect(missing).toEqual([]);
    expect(listed.filter((one) => /\/(jest|playwright-core|oxlint)@/.test(one))).toEqual([]);
  });

  it('have manifests that name the image by its digest', async () => {
    await run('tar', ['-xzf', join(folder, `${title}.tar.gz`), '-C', folder]);
    const overlays = join(folder, title, 'k8s', 'overlays');
    const builder = findBuilder();
    if (!builder) announceSkipped('what Kustomize builds of the manifests of a release', MISSING.kubectl);
    for (const overlay of await readdir(overlays)) {
      const file = await readFile(join(overlays, overlay, 'kustomization.yaml'), 'utf8');
      expect(documents(file)[0].images).toEqual([{ name: 'portage', newName: IMAGE, digest: DIGEST }]);
      if (!builder) continue;
      const { stdout } = await run(builder[0], [builder[1], join(overlays, overlay)], {
        maxBuffer: 64 << 20,
      });
      const images = [...stdout.matchAll(/^ *image: (\S+)$/gm)].map((match) => match[1]);
      expect(images).toEqual(Array.from({ length: 3 }, () => `${IMAGE}@${DIGEST}`));
    }
  });

  it('have alerts that link to the page of the release', async () => {
    for (const rules of [
      'prometheus/alerts.yml',
      'k8s/components/prometheus-operator/prometheus-rule.yaml',
    ]) {
      const file = await readFile(join(folder, title, rules), 'utf8');
      const pages = new Set([...file.matchAll(/runbook_url: ([^#]+)#/g)].map((match) => match[1]));
      expect([...pages]).toEqual([
        `https://github.com/example/portage/blob/v${manifest.version}/docs/operating.md`,
      ]);
    }
  });

  it('need an image with a digest', async () => {
    for (const image of ['', IMAGE, `${IMAGE}:1.0.0`, `${IMAGE}@sha256:12`])
      await expect(release(folder, image)).rejects.toMatchObject({ code: 2 });
  });
});

describe('the hosted workflows', () => {
  const workflows = trackedFiles().filter((path) => path.startsWith('.github/workflows/'));

  it.each(workflows)('%s names each action by its commit, with the version beside it', (path) => {
    const uses = text(path)
      .split('\n')
      .filter((line) => line.includes('uses:'));
    expect(uses.length).toBeGreaterThan(1);
    expect(uses.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
      [],
    );
  });

  it.each(workflows)('%s leaves no credentials in the checkout', (path) => {
    const steps = Object.values<Document>(yaml(path).jobs).flatMap((job) => job.steps as Document[]);
    const checkouts = steps.filter(({ uses }) =>
      (uses as string | undefined)?.startsWith('actions/checkout@'),
    );
    expect(checkouts.length).toBeGreaterThan(0);
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
  });

  it('compare the packages of the service with known vulnerabilities, each week as well', () => {
    const workflow = yaml('.github/workflows/ci.yml');
    expect(workflow.on.schedule).toHaveLength(1);
    const commands = (workflow.jobs.packages.steps as Document[]).map(
      ({ run: command }) => command as string,
    );
    expect(commands).toContain('npm audit --omit=dev --audit-level=high');
  });

  it('use one commit of an action', () => {
    const commits = new Map<string, Set<string>>();
    for (const path of workflows)
      for (const [, action, commit] of text(path).matchAll(/uses: (\S+)@(\w+)/g))
        commits.set(action!, (commits.get(action!) ?? new Set()).add(commit!));
    expect([...commits].filter(([, found]) => found.size > 1)).toEqual([]);
  });

  it('run scripts that exist, and release from tags only, with no more rights than they use', () => {
    const workflow = yaml('.github/workflows/release.yml');
    expect([workflow.on, workflow.permissions]).toEqual([{ push: { tags: ['v*'] } }, {}]);
    const steps = Object.values<Document>(workflow.jobs).flatMap(({ steps: listed }) => listed as Document[]);
    const commands = steps.map(({ run: command }) => (command as string | undefined) ?? '').join('\n');
    const scripts = [...commands.matchAll(/node (scripts\/\S+)/g)].map((match) => match[1]!);
    expect(scripts).toEqual(['scripts/release.mjs']);
    expect(scripts.filter((script) => !existsSync(join(ROOT, script)))).toEqual([]);
    // Values of the event reach a shell as variables and not as text of the command.
    expect(commands).not.toContain('${{');
    expect(Object.keys(workflow.jobs.release.permissions)).toEqual([
      'actions',
      'attestations',
      'contents',
      'id-token',
      'packages',
    ]);
  });
});
