import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Installation } from '@portage/testing';
import { type Document, ROOT, text, yaml } from './deployment';

/**
 * A replacement for the docker command, which runs the entrypoint of a service in docker-compose.yml on this machine, with
 * the URLs and directories of the test instead of those of the containers.
 */
function fakeDocker(baseUrl: string): string {
  const services = yaml('docker-compose.yml').services as Record<string, Document>;
  const entrypoints = Object.fromEntries(
    Object.entries(services).map(([name, { entrypoint }]) => [
      name,
      // The settings of the test replace the generated ones.
      entrypoint?.filter((word: string) => !word.startsWith('--env-file=')),
    ]),
  );
  expect(services['import-book'].volumes).toEqual(['./examples:/examples:ro']);
  return `#!${process.execPath}
const [compose, verb, ...args] = process.argv.slice(2);
if (compose !== 'compose' || !['up', 'run'].includes(verb)) process.exit(99);
if (verb === 'up') process.exit(0);
const [service, ...words] = args.filter((word, at) => !(word.startsWith('-') && at < 2));
const entrypoint = ${JSON.stringify(entrypoints)}[service];
const given = [...entrypoint.slice(1), ...words].map((word) =>
  word.replace(/^\\/examples/, ${JSON.stringify(join(ROOT, 'examples'))}).replace('http://api:3000', '${baseUrl}'));
const { status } = require('node:child_process').spawnSync(process.execPath, given, { stdio: 'inherit', cwd: ${JSON.stringify(ROOT)} });
process.exit(status ?? 98);
`;
}

describe('docs/operating.md', () => {
  const portage = Installation.use({ backend: 'postgres' });

  it('imports the sample book with its docker compose commands', async () => {
    const [, commands = ''] = /^```sh\n(docker compose up [\s\S]*?)^```/m.exec(text('docs/operating.md'))!;
    const bin = join(portage.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'docker'), fakeDocker(portage.baseUrl), { mode: 0o755 });
    const child = spawn('bash', ['--norc', '-ec', commands], {
      env: { ...portage.env, PATH: `${bin}:${portage.env['PATH']!}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise((resolve) => child.once('close', resolve));
    // The last command reports the invalid accounts of the sample by its exit status.
    expect([status, output]).toEqual([1, expect.stringContaining('12 accounts are not imported.')]);
    const counts = await portage.sql(
      'SELECT status, count(*)::int AS count FROM import_process GROUP BY status',
    );
    expect(counts).toEqual([{ status: 'PROCESSED', count: 200 }]);
  });
});
