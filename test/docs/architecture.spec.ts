import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The files of a list of docs/architecture.md, by the comment that marks it. */
function filesOf(way: string): string[] {
  const page = read('docs/architecture.md');
  const marker = `<!-- ${way} -->`;
  const section = page.slice(page.indexOf(marker) + marker.length).split('\n## ', 1)[0] ?? '';
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path);
}

/** The file that declares a name which the index of a library exports. */
function declarationOf(library: string, name: string): string | undefined {
  for (const [, names = '', from = ''] of read(`libs/${library}/src/index.ts`).matchAll(
    /export (?:type )?\{([^}]*)\} from '([^']+)'/g,
  ))
    if (names.split(',').some((one) => one.trim().replace(/^type /, '') === name))
      return join(`libs/${library}/src`, `${from}.ts`);
  return undefined;
}

/** The files that a file imports; those of another library by the names that it takes from its index. */
function importsOf(path: string): Set<string> {
  const imported = new Set<string>();
  for (const [, names = '', from = ''] of read(path).matchAll(
    /(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/g,
  )) {
    const library = /^@portage\/([a-z-]+)$/.exec(from)?.[1];
    if (library !== undefined && existsSync(join(ROOT, `libs/${library}/src/index.ts`)))
      for (const name of names.split(',').map((one) => one.trim().replace(/^type /, ''))) {
        const declaration = declarationOf(library, name);
        if (declaration !== undefined) imported.add(declaration);
      }
    else if (from.startsWith('.')) imported.add(`${join(dirname(path), from)}.ts`);
  }
  return imported;
}

describe.each(['way-of-a-post', 'way-of-a-line', 'way-of-a-job'])('The page on architecture: %s', (way) => {
  const files = filesOf(way);

  it('has at most fifteen files', () => {
    expect(files.length).toBeGreaterThan(4);
    expect(files.length).toBeLessThanOrEqual(15);
  });

  it('lists files that exist', () => {
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('lists each file after one that imports it', () => {
    const withoutImporter = files.filter(
      (path, index) => index > 0 && !files.slice(0, index).some((earlier) => importsOf(earlier).has(path)),
    );
    expect(withoutImporter).toEqual([]);
  });
});
