import type { MigrationInterface } from 'typeorm';

/** A migration. It has no `down`: a release is taken back by going on with the release before, which works with the schema. */
export type Migration = Omit<MigrationInterface, 'down'>;
