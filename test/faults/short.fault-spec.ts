import { testFaults } from './test-faults';

testFaults({
  name: 'short',
  accounts: 300,
  pauseMs: 500,
  awayMs: 2_000,
  recoveryMs: 40_000,
  waits: 'quick',
});
