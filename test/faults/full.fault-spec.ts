import { testFaults } from './test-faults';
import { writeReliabilityPage } from './reliability-page';

testFaults(
  {
    name: 'full',
    accounts: 2_000,
    pauseMs: 2_000,
    outageMs: 10_000,
    recoveryTimeoutMs: 180_000,
    waits: 'default',
  },
  writeReliabilityPage,
);
