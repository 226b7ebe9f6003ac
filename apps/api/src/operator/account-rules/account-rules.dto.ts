import type { List } from '@portage/operators';
import { ReferenceListSummary } from '@portage/tenants';

/** The configured reference lists. */
export type ReferenceLists = List<ReferenceListSummary>;

/** A reference list with its entries. */
export interface ReferenceList {
  list: string;
  /** As they were imported: an array, or an object by key. */
  entries: unknown;
}

export interface ImportReferenceListsRequest {
  readonly [list: string]: unknown;
}

export interface InstanceSettings {
  readonly [setting: string]: string | number | boolean | null;
}
