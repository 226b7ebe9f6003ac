import { surviveFaults } from './survive-faults';
import { writeReliabilityPage } from './reliability-page';

surviveFaults(
  {
    name: 'full',
    accounts: 2_000,
    pauseMs: 2_000,
    awayMs: 10_000,
    recoveryMs: 180_000,
    waits: 'default',
  },
  writeReliabilityPage,
);
