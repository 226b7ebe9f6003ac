import { testFaults } from './test-faults';

testFaults({
  name: 'short',
  accounts: 300,
  pauseMs: 500,
  outageMs: 2_000,
  recoveryTimeoutMs: 40_000,
  waits: 'quick',
});
