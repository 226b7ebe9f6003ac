import { execFileSync } from 'node:child_process';
import { join, posix } from 'node:path';
import { type Document, documents, ROOT, text, trackedFiles } from './deployment';

export const K8S = 'deploy/k8s';
export const OVERLAYS = ['production', 'small'].map((name) => `${K8S}/overlays/${name}`);
const KUSTOMIZATION = 'kustomization.yaml';

export interface Kustomization {
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

/** The settings of an overlay: those of the base, overridden by its own. */
export function settingsOf(overlay: string): Record<string, string> {
  const lines = text(`${K8S}/base/settings.env`).split('\n');
  const { content } = kustomizations().find(({ directory }) => directory === overlay)!;
  const own: string[] = content.configMapGenerator[0].literals;
  return Object.fromEntries(
    [...lines, ...own]
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Builds an overlay with Kustomize. Returns undefined if neither kustomize nor kubectl is installed. */
export function rendered(overlay: string): Document[] | undefined {
  for (const [program, ...args] of [
    ['kustomize', 'build'],
    ['kubectl', 'kustomize'],
  ] as const) {
    try {
      const output = execFileSync(program, [...args, join(ROOT, overlay)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return documents(output);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}
