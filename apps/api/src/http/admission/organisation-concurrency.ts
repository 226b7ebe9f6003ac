import { Throttled } from '@portage/platform';
import type { ConcurrencyLimit, RequestKind } from './request-kind';

/** Requests of one kind that wait while the limit of their organisation is reached. Further requests get 429. */
const MAX_WAITING = 256;

/** Maximum wait. After that the request gets 429. */
const MAX_WAIT_MS = 10_000;

/** Time after which a request that may not wait gets 429. At once, a client that repeats it would fill the event loop. */
const REFUSAL_DELAY_MS = 1_000;

/** The pause after which a refused client should try again. */
const RETRY_AFTER_MS = 2_000;

/** Time after its last request in which an organisation counts as one that uses this process. */
const ACTIVE_MS = 2_000;

/** An organisation may have this many times as many requests in progress as another one that is active. */
const MAX_RATIO = 2;

/** A request that holds a part of its organisation's limit. */
export interface Admission {
  /** Ends the request. Repeated calls have no effect. */
  release(): void;
}

/** The outcome of a request that waited. */
type Settle = (outcome: Admission | Throttled) => void;

interface WaitingRequest {
  readonly weight: number;
  readonly settle: Settle;
  readonly timer: NodeJS.Timeout;
}

/** The requests of one organisation and kind. */
interface RequestsInProgress {
  readonly organisationId: number;
  readonly kind: RequestKind;
  runningWeight: number;
  waiting: WaitingRequest[];
}

/** The requests of one organisation, of all kinds. */
interface Activity {
  /** The weight of its requests that run and wait. */
  demand: number;
  /** The highest demand since `since`, and in the period before it. */
  peakDemand: number;
  previousPeakDemand: number;
  since: number;
  at: number;
}

/**
 * Limits how many requests of one kind an organisation has in progress in this process.
 *
 * The limit of an organisation depends on the others that are active: it may have twice as many requests in progress as
 * the one with the fewest. So an organisation that sends one request at a time shares the process with two requests of
 * each other one, and organisations that all send many at once all get their high limits.
 */
export class OrganisationConcurrency {
  private readonly inProgress = new Map<string, RequestsInProgress>();
  private readonly activities = new Map<number, Activity>();

  /** @param now a monotonic time in milliseconds */
  constructor(
    private readonly limits: Readonly<Record<RequestKind, ConcurrencyLimit>>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Admits a request at once if the limit allows it.
   *
   * @param weight the share of the limit that the request takes; one that is heavier than the limit takes all of it
   * @returns undefined if the request has to wait
   */
  tryEnter(kind: RequestKind, organisationId: number, weight: number): Admission | undefined {
    const requests = this.requestsOf(kind, organisationId);
    if (requests.waiting.length > 0 || !this.hasRoom(requests, weight)) return undefined;
    this.changeDemand(requests, weight);
    return this.admit(requests, weight);
  }

  /**
   * Waits until the limit allows the request, in the order of arrival.
   *
   * @param settle gets the admission, or the error of a request that waited too long or had too many before it
   * @returns a function that gives up waiting
   */
  wait(kind: RequestKind, organisationId: number, weight: number, settle: Settle): () => void {
    const requests = this.requestsOf(kind, organisationId);
    if (requests.waiting.length >= MAX_WAITING) {
      const refusal = setTimeout(settle, REFUSAL_DELAY_MS, buildThrottled(requests));
      return () => {
        clearTimeout(refusal);
      };
    }
    this.changeDemand(requests, weight);
    const leave = () => {
      clearTimeout(request.timer);
      requests.waiting = requests.waiting.filter((other) => other !== request);
      this.changeDemand(requests, -weight);
      this.startWaiting(requests);
    };
    const timer = setTimeout(() => {
      leave();
      settle(buildThrottled(requests));
    }, MAX_WAIT_MS);
    const request: WaitingRequest = { weight, settle, timer };
    requests.waiting.push(request);
    return leave;
  }

  private admit(requests: RequestsInProgress, weight: number): Admission {
    requests.runningWeight += weight;
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        requests.runningWeight -= weight;
        this.changeDemand(requests, -weight);
        this.startWaiting(requests);
      },
    };
  }

  private startWaiting(requests: RequestsInProgress): void {
    for (
      let [next] = requests.waiting;
      next && this.hasRoom(requests, next.weight);
      [next] = requests.waiting
    ) {
      requests.waiting.shift();
      clearTimeout(next.timer);
      next.settle(this.admit(requests, next.weight));
    }
    if (requests.runningWeight === 0 && requests.waiting.length === 0)
      this.inProgress.delete(keyOf(requests));
  }

  private hasRoom({ kind, organisationId, runningWeight }: RequestsInProgress, weight: number): boolean {
    return runningWeight === 0 || runningWeight + weight <= this.limitOf(kind, organisationId);
  }

  private limitOf(kind: RequestKind, organisationId: number): number {
    const { maxWithoutOthers, maxBesideOthers } = this.limits[kind];
    const demand = this.lowestOtherDemand(organisationId);
    return Math.min(maxWithoutOthers, Math.max(maxBesideOthers, MAX_RATIO * demand));
  }

  /** The demand of the active organisation that has the lowest; Infinity if no other organisation is active. */
  private lowestOtherDemand(organisationId: number): number {
    let lowest = Infinity;
    for (const [id, { demand, peakDemand, previousPeakDemand, at }] of this.activities) {
      if (id === organisationId) continue;
      if (demand > 0 || this.now() - at < ACTIVE_MS)
        lowest = Math.min(lowest, Math.max(peakDemand, previousPeakDemand));
      else this.activities.delete(id);
    }
    return lowest;
  }

  private changeDemand({ kind, organisationId }: RequestsInProgress, weight: number): void {
    // An upload lasts for minutes or hours, and a reader of events waits. They must not limit the interactive requests
    // of others for that time.
    if (kind === 'uploads' || kind === 'events') return;
    const at = this.now();
    const activity = this.activityOf(organisationId);
    activity.demand += weight;
    activity.at = at;
    const age = at - activity.since;
    if (age >= ACTIVE_MS) {
      activity.previousPeakDemand = age < 2 * ACTIVE_MS ? activity.peakDemand : 0;
      activity.peakDemand = activity.demand;
      activity.since = at;
    } else activity.peakDemand = Math.max(activity.peakDemand, activity.demand);
  }

  private activityOf(organisationId: number): Activity {
    const existing = this.activities.get(organisationId);
    if (existing) return existing;
    const activity = { demand: 0, peakDemand: 0, previousPeakDemand: 0, since: this.now(), at: this.now() };
    this.activities.set(organisationId, activity);
    return activity;
  }

  private requestsOf(kind: RequestKind, organisationId: number): RequestsInProgress {
    const key = keyOf({ kind, organisationId });
    const existing = this.inProgress.get(key);
    if (existing) return existing;
    const requests: RequestsInProgress = { kind, organisationId, runningWeight: 0, waiting: [] };
    this.inProgress.set(key, requests);
    return requests;
  }
}

function keyOf({ kind, organisationId }: Pick<RequestsInProgress, 'kind' | 'organisationId'>): string {
  return `${organisationId} ${kind}`;
}

function buildThrottled({ kind, waiting }: RequestsInProgress): Throttled {
  return new Throttled(
    `Your organisation has too many requests for ${kind} in progress: ${waiting.length} wait. Send fewer at once.`,
    RETRY_AFTER_MS,
  );
}
