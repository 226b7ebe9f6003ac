import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';
import { columnOf } from '../../connections/row-objects';

/**
 * Names columns and constraints as PostgreSQL does by default: `organisationId` is the column organisation_id, and
 * constraints without a name are `<table>_pkey`, `<table>_<columns>_key` and `<table>_<columns>_fkey`. Indexes and
 * checks are named where they are declared.
 */
export class PostgresNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? columnOf(propertyName);
  }

  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return columnOf(`${relationName}_${referencedColumnName}`);
  }

  override primaryKeyName(table: string | { name: string }): string {
    return `${this.tableOf(table)}_pkey`;
  }

  override uniqueConstraintName(table: string | { name: string }, columns: string[]): string {
    return `${this.tableOf(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: string | { name: string }, columns: string[]): string {
    return `${this.tableOf(table)}_${columns.join('_')}_fkey`;
  }

  /** Returns the name without the schema, which TypeORM prefixes to the names of tables that it has read. */
  private tableOf(table: string | { name: string }): string {
    return (typeof table === 'string' ? table : table.name).split('.').at(-1) as string;
  }
}
