import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '@portage/config';
import { parseAllDocuments, parse } from 'yaml';

export const ROOT = join(__dirname, '..', '..');

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever the manifests hold
export type Document = any;

export const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A YAML file of one document, with its `<<` merged. */
export const yaml = (path: string): Document => parse(text(path), { merge: true });

/** Every document of a YAML text. @throws Error where it is not YAML, or has a key twice */
export function documents(source: string): Document[] {
  return parseAllDocuments(source).map((document) => {
    const [fault] = document.errors;
    if (fault) throw fault;
    return document.toJS();
  });
}

/** The files that a fresh clone has, besides those that are about to be committed. */
export function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** What the build compiles into a script of `dist/`. */
export const sourceOf = (script: string): string => script.replace(/^dist\//, '').replace(/\.js$/, '.ts');

/** Variables that a program of Portage reads besides the settings, and which one does. */
export const READ_BY_OTHERS = {
  AWS_ACCESS_KEY_ID: 'the S3 client; the description of DOCUMENT_STORE_URL names it',
  AWS_SECRET_ACCESS_KEY: 'the S3 client; the description of DOCUMENT_STORE_URL names it',
  PORTAGE_API_KEY: 'import-book; its --help names it',
};

/** Those of the variables that no program of Portage reads. */
export const unknownVariables = (names: readonly string[]): string[] =>
  names.filter((name) => !(name in settings) && !(name in READ_BY_OTHERS));

/** How long a program may take to stop, in milliseconds, from SIGTERM until it ends by itself whatever happens. */
export const longestStop = {
  api: ({ SHUTDOWN_GRACE_MS, DRAIN_TIMEOUT_MS }: StopSettings) => SHUTDOWN_GRACE_MS + DRAIN_TIMEOUT_MS,
  worker: ({ DRAIN_TIMEOUT_MS }: StopSettings) => DRAIN_TIMEOUT_MS + 5_000,
};

interface StopSettings {
  SHUTDOWN_GRACE_MS: number;
  DRAIN_TIMEOUT_MS: number;
}

/** What a health route of a program must be written as in its controller for a probe to find it. */
export function hasRoute(app: 'api' | 'worker', path: string): boolean {
  const [, prefix = '', route = ''] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const source = text(`apps/${app}/src/operations/${prefix}.controller.ts`);
  return source.includes(`@Controller('${prefix}')`) && source.includes(`@Get('${route}')`);
}
