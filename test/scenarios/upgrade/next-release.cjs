// Migrations of a release after this one, which the scenario `upgrade` adds to a copy of this checkout. They lie beside the
// compiled migrations there.
const { createIndexConcurrently } = require('../schema/create-index-concurrently');

class NextColumn1795392000001 {
  name = 'NextColumn1795392000001';

  async up(runner) {
    await runner.query('ALTER TABLE import_process ADD next_release integer DEFAULT 1');
  }
}

class NextIndex1795392000002 {
  name = 'NextIndex1795392000002';
  transaction = false;

  async up(runner) {
    await createIndexConcurrently(
      runner,
      'import_process_next_release',
      'ON import_process (next_release, id)',
    );
  }
}

exports.migrations = [NextColumn1795392000001, NextIndex1795392000002];
