// npm run migration:create -- <name>: writes an empty migration with the time of now, and the list of all migrations.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const name = process.argv[2] ?? '';
if (!/^[a-z]\w*(-\w+)*$/.test(name)) {
  process.stderr.write('Usage: npm run migration:create -- <name>, for example note-author\n');
  process.exit(2);
}
const folder = fileURLToPath(new URL('../libs/platform/src/database/migrations/', import.meta.url));
const classOf = (file) => {
  const [time, ...words] = file.split('-');
  return `${words.map((word) => word[0].toUpperCase() + word.slice(1)).join('')}${time}`;
};

const created = `${Date.now()}-${name}`;
const path = join(folder, `${created}.ts`);
writeFileSync(
  path,
  `import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration';

export class ${classOf(created)} implements Migration {
  readonly name = '${classOf(created)}';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('');
  }
}
`,
);
const files = readdirSync(folder)
  .flatMap((file) => /^(\d{13}-.+)\.ts$/.exec(file)?.[1] ?? [])
  .sort();
writeFileSync(
  join(folder, 'index.ts'),
  `// \`npm run migration:create -- <name>\` writes this file.
${files.map((file) => `import { ${classOf(file)} } from './${file}';\n`).join('')}
/** All migrations, in the order in which they run. Append only. */
export const migrations = [${files.map(classOf).join(', ')}];
`,
);
process.stdout.write(`${path}\n`);
