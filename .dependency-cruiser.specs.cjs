/**
 * The order of the subjects for their unit specs and the helpers of these, which may import the test support as well.
 * Suites that start an installation use all of it.
 */
const rules = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: rules.forbidden.filter(({ name }) =>
    /-imports-earlier-subjects-only$|^libs-never-import-apps$/.test(name),
  ),
  options: { ...rules.options, exclude: { path: '\\.(int-spec|e2e-spec)\\.ts$' } },
};
