import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../../libs/platform/src/config/settings';
import { parseAllDocuments, parse } from 'yaml';

export const ROOT = join(__dirname, '..', '..');

// oxlint-disable-next-line typescript/no-explicit-any -- the manifests have many shapes
export type Document = any;

export const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Parses a YAML file with one document and merges its `<<` keys. */
export const yaml = (path: string): Document => parse(text(path), { merge: true });

/** Parses all documents of a YAML text. @throws Error for invalid YAML or a duplicate key */
export function documents(source: string): Document[] {
  return parseAllDocuments(source).map((document) => {
    const [fault] = document.errors;
    if (fault) throw fault;
    return document.toJS();
  });
}

/** The files of a fresh clone, and new files that are not ignored. */
export function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** The source file of a script in `dist/`. */
export const sourceOf = (script: string): string => script.replace(/^dist\//, '').replace(/\.js$/, '.ts');

/** Variables that are not settings, with the program that reads them. */
const READ_BY_OTHERS = {
  AWS_ACCESS_KEY_ID: 'the S3 client; the description of DOCUMENT_STORE_URL names it',
  AWS_SECRET_ACCESS_KEY: 'the S3 client; the description of DOCUMENT_STORE_URL names it',
  AWS_ROLE_ARN: 'the S3 client; the role of a pod instead of keys',
  AWS_WEB_IDENTITY_TOKEN_FILE: 'the S3 client; the token for which it gets the role',
  NODE_EXTRA_CA_CERTS: 'Node; authorities that it trusts besides public ones',
  NODE_OPTIONS: 'Node; its size of the heap fits the memory limit',
  PORTAGE_API_KEY: 'import-book; its --help names it',
};

/** The variables that no program of Portage reads. */
export const unknownVariables = (names: readonly string[]): string[] =>
  names.filter((name) => !(name in settings) && !(name in READ_BY_OTHERS));

/** Maximum time in milliseconds from SIGTERM until a program exits. */
export const maxStopMs = {
  api: ({ SHUTDOWN_GRACE_MS, DRAIN_TIMEOUT_MS }: StopSettings) => SHUTDOWN_GRACE_MS + DRAIN_TIMEOUT_MS,
  worker: ({ DRAIN_TIMEOUT_MS }: StopSettings) => DRAIN_TIMEOUT_MS + 5_000,
};

interface StopSettings {
  SHUTDOWN_GRACE_MS: number;
  DRAIN_TIMEOUT_MS: number;
}

/** True if a controller of the program declares the route. */
export function hasRoute(app: 'api' | 'worker', path: string): boolean {
  const [, prefix = '', route = ''] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const source = text(`apps/${app}/src/health/${prefix}.controller.ts`);
  return source.includes(`@Controller('${prefix}')`) && source.includes(`@Get('${route}')`);
}
