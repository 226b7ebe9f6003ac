// Compiles TypeScript to dist, file by file and without a check of types, which `npm test` and `npm run typecheck` do.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rename, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The files below a folder of the repository, except those of packages. */
export function* filesOf(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') continue;
    if (entry.isDirectory()) yield* filesOf(path);
    else yield path;
  }
}

/** The time of the last change of files of the repository. A missing file counts as old. */
export const lastChange = (files) =>
  Math.max(...files.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0));

const options = {
  swcrc: false,
  sourceMaps: true,
  // ES modules can then import names from the output.
  module: { type: 'commonjs', exportInteropAnnotation: true },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    baseUrl: root,
    paths: {
      '@portage/client': ['./packages/client/src/index.ts'],
      '@portage/testing/*': ['./libs/testing/src/*.ts'],
      '@portage/*': ['./libs/*/src/index.ts'],
    },
  },
};

const isSource = (path) => path.endsWith('.ts') && !/\.(spec|int-spec|e2e-spec|d)\.ts$|\/test\//.test(path);

/**
 * Compiles the sources below folders of the repository that have changed, and removes outputs without a source.
 *
 * @returns the sources
 */
export async function compile(folders) {
  const sources = folders.flatMap((folder) => [...filesOf(folder)]).filter(isSource);
  await Promise.all(
    sources.map(async (source) => {
      const output = join('dist', source.replace(/\.ts$/, '.js'));
      // The time of an output is that of its source, so that a source that changes meanwhile is compiled again. A file
      // has it to the millisecond only.
      const changedAt = Math.trunc(lastChange([source, 'scripts/compile.mjs']));
      if (Math.round(lastChange([output])) === changedAt) return;
      const { transformFile } = await import('@swc/core');
      const { code, map } = await transformFile(join(root, source), {
        ...options,
        sourceFileName: relative(dirname(output), source),
      });
      mkdirSync(join(root, dirname(output)), { recursive: true });
      await writeFile(join(root, `${output}.map`), map);
      // Renamed, because a program that starts meanwhile must not read half of it.
      const unfinished = join(root, `${output}.${process.pid}`);
      await writeFile(unfinished, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
      await utimes(unfinished, changedAt / 1_000, changedAt / 1_000);
      await rename(unfinished, join(root, output));
    }),
  );
  removeOrphans(folders);
  return sources;
}

/** Removes outputs whose source is gone: the API loads every operator controller that it finds. */
function removeOrphans(folders) {
  const outputs = folders.flatMap((folder) => [...filesOf(join('dist', folder))]);
  for (const output of outputs.filter((path) => path.endsWith('.js'))) {
    if (existsSync(join(root, relative('dist', output).replace(/\.js$/, '.ts')))) continue;
    rmSync(join(root, output), { force: true });
    rmSync(join(root, `${output}.map`), { force: true });
  }
}
