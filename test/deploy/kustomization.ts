import { execFile, spawnSync } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { newDirectory } from '@portage/testing/test-directory';
import { stringify } from 'yaml';
import type { Part } from '../../libs/platform/src/config/config';
import { type Document, documents, ROOT, text, trackedFiles } from './deployment';

export const K8S = 'deploy/k8s';
export const OVERLAYS = ['production', 'small'].map((name) => `${K8S}/overlays/${name}`);
const KUSTOMIZATION = 'kustomization.yaml';

interface Kustomization {
  directory: string;
  content: Document;
}

export const kustomizations = (): Kustomization[] =>
  trackedFiles()
    .filter((path) => path.startsWith(`${K8S}/`) && path.endsWith(`/${KUSTOMIZATION}`))
    .map((path) => ({ directory: posix.dirname(path), content: documents(text(path))[0] }));

/** The files and folders that a kustomization references, relative to the root of the repository. */
export const namedPaths = ({ directory, content }: Kustomization): string[] =>
  [
    ...(content.resources ?? []),
    ...(content.components ?? []),
    ...(content.configMapGenerator ?? []).flatMap(({ envs = [] }: Document) => envs),
  ].map((path: string) => posix.normalize(`${directory}/${path}`));

/** The files with manifests or settings. */
export const manifestFiles = (): string[] =>
  trackedFiles().filter(
    (path) =>
      path.startsWith(`${K8S}/`) && /\.(yaml|env)$/.test(path) && posix.basename(path) !== KUSTOMIZATION,
  );

export const manifestsIn = (paths: readonly string[]): Document[] =>
  paths.filter((path) => path.endsWith('.yaml')).flatMap((path) => documents(text(path)));

/** The settings of an overlay: those of the base and of its components, overridden by its own. */
export function settingsOf(overlay: string): Record<string, string> {
  const literals = (directory: string): string[] => {
    const { content } = kustomizations().find((one) => one.directory === directory)!;
    const components: string[] = content.components ?? [];
    return [
      ...components.flatMap((path) => literals(posix.join(directory, path))),
      ...(content.configMapGenerator ?? []).flatMap(({ literals = [] }: Document) => literals as string[]),
    ];
  };
  const lines = text(`${K8S}/base/settings.env`).split('\n');
  return Object.fromEntries(
    [...lines, ...literals(overlay)]
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

const SAMPLE_SECRETS: Record<string, string> = {
  DATABASE_URL: 'postgres://portage_app:secret@db.example/portage',
  DIRECT_DATABASE_URL: 'postgres://portage_app:secret@pg.example/portage',
  MIGRATION_DATABASE_URL: 'postgres://portage:secret@db.example/portage',
  REDIS_URL: 'rediss://redis.example',
  SMTP_URL: 'smtp://mail.example:587',
};

/** The environment of a workload with these settings, and with sample secrets: the required ones only, or all. */
export function environmentOf(
  workload: Document,
  settings: Record<string, string>,
  secrets: 'required' | 'all',
): Record<string, string> {
  const { envFrom = [], env = [] } = workload.spec.template.spec.containers[0];
  const given: Record<string, string> = envFrom.length > 0 ? { ...settings } : {};
  for (const { name, value, valueFrom } of env as Document[]) {
    if (valueFrom === undefined) given[name] = value;
    else if (secrets === 'all' || !valueFrom.secretKeyRef.optional)
      given[name] = SAMPLE_SECRETS[name] ?? 'a-secret-of-at-least-32-characters';
  }
  return given;
}

/** The program of a workload. */
export const partOf = (workload: Document): Part => workload.metadata.labels['app.kubernetes.io/component'];

/** The names of the folders in `components`. */
export const componentNames = (): string[] =>
  kustomizations()
    .filter(({ directory }) => posix.dirname(directory) === `${K8S}/components`)
    .map(({ directory }) => posix.basename(directory));

/** The programs that build kustomizations with components, which kubectl knows since 1.21. */
const PROGRAMS = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
] as const;

/** The command that builds a kustomization; undefined if no program on the PATH can. */
export function findBuilder(): readonly [string, string] | undefined {
  const overlay = join(ROOT, OVERLAYS[0]!);
  return PROGRAMS.find(([program, command]) => {
    const { status, stderr } = spawnSync(program, [command, overlay], { encoding: 'utf8' });
    return status === 0 || (status !== null && !stderr.includes('unknown field "components"'));
  });
}

/** Copies of the manifests in which overlays have other components. */
export class Renderings {
  private readonly root = newDirectory();
  private copies = 0;

  constructor(private readonly builder: readonly [string, string]) {}

  /**
   * Builds an overlay as if its list of components were another one.
   *
   * @throws Error with the message of Kustomize
   */
  async render(overlay: string, components: readonly string[]): Promise<Document[]> {
    const copy = join(this.root, String((this.copies += 1)));
    await cp(join(ROOT, K8S), copy, { recursive: true });
    const folder = join(copy, 'overlays', posix.basename(overlay));
    const file = join(folder, KUSTOMIZATION);
    const content = {
      ...documents(await readFile(file, 'utf8'))[0],
      components: components.map((name) => `../../components/${name}`),
    };
    await writeFile(file, stringify(content));
    const [program, command] = this.builder;
    const { stdout } = await promisify(execFile)(program, [command, folder], { maxBuffer: 64 << 20 });
    await rm(copy, { recursive: true });
    return documents(stdout);
  }
}
