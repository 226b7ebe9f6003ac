/** A part of the first schema: the SQL that creates it, and the SQL that drops everything that was created. */
export interface SchemaSubject {
  create: string;
  drop: string;
}
