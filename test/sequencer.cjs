const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Unit tests, beside which npm test may check types, then the suites that take longest. jest orders suites by their last
 * duration, which a fresh clone does not have; a long suite that starts last would run alone.
 */
const FIRST = [
  'start.e2e-spec',
  'all.scenario-spec',
  '/groups/unit-',
  '/groups/integration-',
  'payment-instructions.e2e-spec',
  '/groups/tenants-',
  'contributing.e2e-spec',
  'shutdown.e2e-spec',
  'worker-outages.e2e-spec',
  'security-markers.e2e-spec',
  'tracing.e2e-spec',
  'tenants/operator.e2e-spec',
  'tenants/operator-api.e2e-spec',
  'security-instances.e2e-spec',
  'image.spec',
  'console/supplier.e2e-spec',
  'console/layout.e2e-spec',
];

const rank = ({ path }) => {
  const index = FIRST.findIndex((part) => path.includes(part));
  return index === -1 ? FIRST.length : index;
};

module.exports = class extends Sequencer {
  sort(tests) {
    // For the global set-up, which starts what these suites need.
    globalThis.portageSuites = tests.map(({ path }) => path);
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
