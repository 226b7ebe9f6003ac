import { type CountByCode, Counts } from '../run/counts';
import { type Endpoint, ENDPOINTS } from './request-line';

export interface EndpointSummary {
  requests: number;
  /** Notes, transactions, statements or instructions that this run added. */
  added: number;
  /** Those that an earlier run, or an earlier request, had added. */
  already_there: number;
  /** Requests by the code of their first error. Nothing of them was added. */
  refused: CountByCode;
  /** Requests that got no answer but 500, or none, or that were held back behind such a one. */
  failed: number;
}

/** By endpoint; `unreadable` has the lines that are no requests. */
export type AfterImportSummary = Partial<Record<Endpoint | 'unreadable', EndpointSummary>>;

/** Counts what becomes of each request after the import. */
export class AfterImportTally {
  private readonly endpoints = new Map<keyof AfterImportSummary, EndpointCounts>();

  of(endpoint: Endpoint | 'unreadable'): EndpointCounts {
    const counts = this.endpoints.get(endpoint) ?? new EndpointCounts();
    this.endpoints.set(endpoint, counts);
    return counts;
  }

  get requests(): number {
    return this.sum(({ requests }) => requests);
  }

  get added(): number {
    return this.sum(({ added }) => added);
  }

  get alreadyThere(): number {
    return this.sum(({ alreadyThere }) => alreadyThere);
  }

  get refused(): number {
    return this.sum(({ refused }) => refused.total);
  }

  get failed(): number {
    return this.sum(({ failed }) => failed);
  }

  summary(): AfterImportSummary {
    const summary: AfterImportSummary = {};
    for (const endpoint of [...ENDPOINTS, 'unreadable'] as const) {
      const counts = this.endpoints.get(endpoint);
      if (counts !== undefined) summary[endpoint] = counts.summary();
    }
    return summary;
  }

  private sum(of: (counts: EndpointCounts) => number): number {
    return [...this.endpoints.values()].reduce((sum, counts) => sum + of(counts), 0);
  }
}

class EndpointCounts {
  requests = 0;
  added = 0;
  alreadyThere = 0;
  failed = 0;
  readonly refused = new Counts();

  summary(): EndpointSummary {
    const { requests, added, alreadyThere, refused, failed } = this;
    return { requests, added, already_there: alreadyThere, refused: refused.byCode(), failed };
  }
}
