import { Column, type ColumnOptions } from 'typeorm';

/**
 * A timestamptz(6) column. It is declared as text because TypeORM would turn it into a Date and lose the
 * microseconds; the connection hands timestamps over as PostgreSQL writes them, in UTC.
 */
export function TimestampColumn(name: string, options: ColumnOptions = {}): PropertyDecorator {
  return Column({ name, type: 'text', ...options });
}

/** A timestamp that the database sets itself when the row is inserted. */
export function CreatedAtColumn(name = 'created_at'): PropertyDecorator {
  return TimestampColumn(name, { insert: false, update: false });
}
