// npm run test:upgrade [-- --backend postgres|redis]: upgrades from the last tagged release to this checkout, back, and again
// while a supplier's clients send accounts: migrated under load, both releases serving at once. No request may fail, and a
// checker verifies every answer. PORTAGE_UPGRADE_FROM names another tag. Each backend ends by itself within 20 minutes.
// The first release to upgrade from is v1.0.0: until it is tagged, nothing is tested, and the output says so.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/prepare.mjs';
import { buildCheckout, buildRelease, findLastRelease } from './release.mjs';

const { values } = parseArgs({ options: { backend: { type: 'string' } } });
if (values.backend && !['postgres', 'redis'].includes(values.backend)) {
  process.stderr.write('npm run test:upgrade -- [--backend postgres|redis]\n');
  process.exit(2);
}

let releases;
try {
  const tag = findLastRelease();
  if (tag === undefined) {
    process.stdout.write(
      '\nSKIPPED: NO UPGRADE WAS TESTED, because there is no release to upgrade from. 1.0.0 has the first schema, and no\n' +
        'upgrade leads to it from 0.x. From the tag v1.0.0 on, this command upgrades from the last tagged release.\n',
    );
    process.exit(0);
  }
  releases = { current: await buildCheckout(), previous: buildRelease(tag) };
} catch (error) {
  process.stdout.write(`\nFAILED: ${error.message}\n`);
  process.exit(1);
}

const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'jest'),
  ['--selectProjects', 'upgrade', '--maxWorkers=1'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PORTAGE_UPGRADE_RELEASES: JSON.stringify(releases),
      ...(values.backend && { PORTAGE_UPGRADE_BACKEND: values.backend }),
    },
  },
);
process.exit(status ?? 1);
