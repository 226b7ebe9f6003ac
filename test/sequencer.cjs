const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Unit tests, beside which npm test may check types, then the suites that take longest. jest orders suites by their last
 * duration, which a fresh clone does not have; a long suite that starts last would run alone.
 */
const FIRST = [
  '/groups/unit-',
  'payment-instructions.e2e-spec',
  'worker-outages.e2e-spec',
  'security-markers.e2e-spec',
  'outages.e2e-spec',
  'tenants/accounts.e2e-spec',
  'tenants/staged.e2e-spec',
  'tenants/notes-and-statements.e2e-spec',
  '/groups/integration-',
  'tenants/operator.e2e-spec',
  'tenants/bull-board.e2e-spec',
  'security-instances.e2e-spec',
  'security-fuzz.e2e-spec',
];

const rank = ({ path }) => {
  const index = FIRST.findIndex((part) => path.includes(part));
  return index === -1 ? FIRST.length : index;
};

module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
