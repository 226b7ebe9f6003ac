// node scripts/release.mjs <folder> <image>@<digest>: adds to the folder of a release the manifests with this image, the list
// of packages (SBOM, CycloneDX), and the checksums of all files. .github/workflows/release.yml packs those of suppliers before.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const [folder, image = ''] = process.argv.slice(2);
const [, name, digest] = /^([^@]+)@(sha256:[0-9a-f]{64})$/.exec(image) ?? [];
if (!folder || !name) {
  process.stderr.write('node scripts/release.mjs <folder> <image>@sha256:<digest>\n');
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const draft = mkdtempSync(join(tmpdir(), 'portage-release-'));
try {
  writeManifests(`portage-manifests-${version}`);
  writePackages('portage.cdx.json');
} finally {
  rmSync(draft, { recursive: true });
}
const sums = readdirSync(folder)
  .filter((file) => file !== 'SHA256SUMS')
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));

/**
 * The deployment files as an archive. Its overlays name the image by its digest, which no registry can change, and its alerts
 * the page of this release.
 */
function writeManifests(title) {
  for (const part of ['k8s', 'prometheus', 'grafana'])
    cpSync(join(root, 'deploy', part), join(draft, title, part), { recursive: true });
  const overlays = join(draft, title, 'k8s', 'overlays');
  for (const overlay of readdirSync(overlays)) {
    const file = join(overlays, overlay, 'kustomization.yaml');
    const named = readFileSync(file, 'utf8').replace(
      /newName: \S+\n( +)newTag: \S+/,
      `newName: ${name}\n$1digest: ${digest}`,
    );
    if (!named.includes(digest)) throw new Error(`${file} names no image.`);
    writeFileSync(file, named);
  }
  for (const rules of ['prometheus/alerts.yml', 'k8s/components/prometheus-operator/prometheus-rule.yaml']) {
    const file = join(draft, title, rules);
    const page = `${name.replace(/^ghcr\.io/, 'https://github.com')}/blob/v${version}/docs/operating.md`;
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('https://portage-docs.example.com/operating.md', page));
  }
  const settings = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  execFileSync('tar', [...settings, '-czf', join(folder, `${title}.tar.gz`), '-C', draft, title]);
}

/**
 * The packages of the programs. npm's own --omit=dev leaves out what a program and a tool both need, so npm gets a lock file
 * without the tools.
 */
function writePackages(title) {
  // npm names the application after the folder.
  const project = join(draft, 'portage');
  mkdirSync(project);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, one] of Object.entries(lock.packages))
    if (one.dev) delete lock.packages[path];
    else delete one.devDependencies;
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(join(project, 'package.json'), JSON.stringify(lock.packages['']));
  const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const packages = execFileSync('npm', command, {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 << 20,
  });
  writeFileSync(join(folder, title), packages);
}
