import { Column, type ColumnOptions, type DataSource, PrimaryGeneratedColumn } from 'typeorm';

/** A primary key that the database generates: `GENERATED ALWAYS AS IDENTITY`. */
export function IdColumn(type: 'integer' | 'bigint'): PropertyDecorator {
  return PrimaryGeneratedColumn('identity', { type, generatedIdentity: 'ALWAYS' });
}

/** Greater than every id that is generated. */
export const MAX_ID = '9223372036854775807';

/** A `timestamptz` column, read and written as text: PostgreSQL's own, in UTC, with microseconds. */
export function TimestampColumn(options: Omit<ColumnOptions, 'type'> = {}): PropertyDecorator {
  return Column({ ...options, type: 'timestamptz' });
}

/** A timestamp column that is set to the time of the transaction unless a value is given. */
export function TimestampNowColumn(options: Omit<ColumnOptions, 'type' | 'default'> = {}): PropertyDecorator {
  return TimestampColumn({ ...options, default: () => 'now()' });
}

/** A timestamp column that only the database and named SQL set. */
export function ReadOnlyTimestampColumn(): PropertyDecorator {
  return TimestampNowColumn({ insert: false, update: false });
}

/**
 * Makes an initialized data source return timestamps as the text that the connection delivers. TypeORM converts
 * `timestamptz` columns to `Date`, which has no microseconds, and has no option to prevent it. It does not convert
 * text columns.
 *
 * Such a data source is not for schema tools: they would see text columns.
 */
export function readTimestampsAsText(dataSource: DataSource): void {
  for (const { columns } of dataSource.entityMetadatas)
    for (const column of columns) if (column.type === 'timestamptz') column.type = 'text';
}
