import { type CountByCode, Counts } from '../run/counts';
import { IgnoredFields } from '../run/ignored-fields';
import { type Endpoint, ENDPOINTS } from './request-line';

/** The counts of one endpoint in the summary. */
export interface EndpointSummary {
  requests: number;
  /** Items (notes, transactions, statements or instructions) that this run added. */
  added: number;
  /** Items that an earlier run or request had added, with the same content. They are skipped. */
  already_there: number;
  /** Part of `added`: transactions that were moved into the open statement period. Only for transactions. */
  moved?: number;
  /** Transactions that exist with other content, which is unchanged. Only for transactions. */
  differing?: number;
  /** Transactions of dry runs that would be added. Only for transactions. */
  dry_run?: number;
  /** Requests that an earlier run had sent successfully, according to the checkpoint. Absent without one. */
  accepted_before?: number;
  /** Refused requests by the code of their first error. None of their items was added. */
  refused: CountByCode;
  /** Requests that got no response or only 500, and requests that were not sent because of an earlier failure. */
  failed: number;
}

/** The counts by endpoint; `unreadable` counts lines that are not valid requests. */
export type AfterImportSummary = Partial<Record<Endpoint | 'unreadable', EndpointSummary>>;

/** Counts the results of after-import requests. */
export class AfterImportTally {
  readonly ignoredFields = new IgnoredFields();
  private readonly endpoints = new Map<keyof AfterImportSummary, EndpointCounts>();

  forEndpoint(endpoint: Endpoint | 'unreadable'): EndpointCounts {
    const counts = this.endpoints.get(endpoint) ?? new EndpointCounts(endpoint);
    this.endpoints.set(endpoint, counts);
    return counts;
  }

  /** A count of all endpoints together. */
  sum(of: (counts: EndpointCounts) => number): number {
    return [...this.endpoints.values()].reduce((sum, counts) => sum + of(counts), 0);
  }

  summary(): AfterImportSummary {
    const endpoints = [...ENDPOINTS, 'unreadable'] as const;
    return Object.fromEntries(
      endpoints.flatMap((endpoint) => {
        const counts = this.endpoints.get(endpoint);
        return counts === undefined ? [] : [[endpoint, counts.summary()]];
      }),
    );
  }
}

class EndpointCounts {
  requests = 0;
  added = 0;
  alreadyThere = 0;
  moved = 0;
  differing = 0;
  dryRun = 0;
  acceptedBefore = 0;
  failed = 0;
  readonly refused = new Counts();

  constructor(private readonly endpoint: Endpoint | 'unreadable') {}

  summary(): EndpointSummary {
    const { requests, added, alreadyThere, moved, differing, dryRun, acceptedBefore, refused, failed } = this;
    return {
      requests,
      added,
      already_there: alreadyThere,
      ...(this.endpoint === 'transactions' && { moved, differing, dry_run: dryRun }),
      ...(acceptedBefore > 0 && { accepted_before: acceptedBefore }),
      refused: refused.byCode(),
      failed,
    };
  }
}
