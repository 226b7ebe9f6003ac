import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram, Installation, REPOSITORY } from '@portage/testing';
import { SandboxVendors } from '@portage/local-environment';

describe('docs/cli.md', () => {
  let vendors: SandboxVendors;
  const portage = Installation.use(async () => {
    vendors = await SandboxVendors.start();
    return { backend: 'postgres', postgres: {}, isEmpty: true, env: vendors.settings };
  });
  afterAll(async () => vendors.stop());

  it('has a migration that works as pasted, from an empty database to an imported book and back', async () => {
    const page = readFileSync(join(REPOSITORY, 'docs', 'cli.md'), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(3);
    const script = blocks
      .join('')
      .replaceAll('npx portage', `node ${builtProgram('cli')}`)
      .replaceAll('npm run migrate', `node ${builtProgram('cli', 'migrate')}`)
      .replaceAll('npm run import-book --', `node ${builtProgram('importer')}`);
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', script], {
      cwd: REPOSITORY,
      env: { ...portage.env, MIGRATION_DATABASE_URL: portage.databaseUrl, BASE_URL: portage.baseUrl },
    });
    for (const shown of [
      /The database is up to date/,
      /│ creation_mode +│ staged/,
      /│ changed +│ 1 /,
      /│ DRY_RUN_SUCCEEDED +│ DEMO_GB/,
      /│ changed +│ 23 /,
      /│ counts\.processed +│ 24 /,
      /│ reconciled +│ yes/,
      /"outcome":"processed"/,
      /│ external_account_number +│ DEMO_GB-2-0001000/,
      /│ is_dry_run +│ yes[^]*│ rolled_back +│ 24 /,
      /│ is_dry_run +│ no[^]*│ rolled_back +│ 24 /,
    ])
      expect(stdout).toMatch(shown);
  });
});
