import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestPortage } from '@portage/testing';
import { type Document, ROOT, text, yaml } from './deployment';

/**
 * Stands in for the engine: a service that is run is its entrypoint, as docker-compose.yml has it, on this machine;
 * the addresses and folders of containers are those of the test.
 */
function engine(baseUrl: string): string {
  const services = yaml('docker-compose.yml').services as Record<string, Document>;
  const entrypoints = Object.fromEntries(
    Object.entries(services).map(([name, { entrypoint }]) => [name, entrypoint]),
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
  let portage: TestPortage;

  beforeAll(async () => {
    portage = await TestPortage.start({ backend: 'postgres' });
  });
  afterAll(async () => {
    await portage.stop();
  });

  it('imports the sample book with the commands that it gives for docker compose', async () => {
    const [, commands = ''] = /^```sh\n(docker compose up [\s\S]*?)^```/m.exec(text('docs/operating.md'))!;
    const bin = join(portage.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'docker'), engine(portage.baseUrl), { mode: 0o755 });
    const child = spawn('bash', ['--norc', '-ec', commands], {
      env: { ...portage.env, PATH: `${bin}:${portage.env['PATH']!}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const status = await new Promise((resolve) => child.once('close', resolve));
    // The faulty ones of the sample are what the last command reports by its status.
    expect([status, said]).toEqual([1, expect.stringContaining('12 accounts are not imported.')]);
    const counts = await portage.sql(
      'SELECT status, count(*)::int AS count FROM import_process GROUP BY status',
    );
    expect(counts).toEqual([{ status: 'PROCESSED', count: 200 }]);
  });
});
