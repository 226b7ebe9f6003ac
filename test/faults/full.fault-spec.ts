import { testFaults } from './test-faults';
import { writeReliabilityPage } from './reliability-page';

testFaults(
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
