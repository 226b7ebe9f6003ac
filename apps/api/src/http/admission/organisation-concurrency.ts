import { Throttled } from '@portage/importing';
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
interface Lane {
  readonly organisationId: number;
  readonly kind: RequestKind;
  runningWeight: number;
  waiting: WaitingRequest[];
}

/** Limits how many requests of one kind an organisation has in progress in this process. */
export class OrganisationConcurrency {
  private readonly lanes = new Map<string, Lane>();
  /** The two organisations that were active last. */
  private latest = { organisationId: NaN, at: -Infinity };
  private previous = { organisationId: NaN, at: -Infinity };

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
    this.noteActivity(organisationId);
    const lane = this.laneOf(kind, organisationId);
    if (lane.waiting.length > 0 || !this.hasRoom(lane, weight)) return undefined;
    return this.admit(lane, weight);
  }

  /**
   * Waits until the limit allows the request, in the order of arrival.
   *
   * @param settle gets the admission, or the error of a request that waited too long or had too many before it
   * @returns a function that gives up waiting
   */
  wait(kind: RequestKind, organisationId: number, weight: number, settle: Settle): () => void {
    const lane = this.laneOf(kind, organisationId);
    if (lane.waiting.length >= MAX_WAITING) {
      const refusal = setTimeout(settle, REFUSAL_DELAY_MS, buildThrottled(lane));
      return () => {
        clearTimeout(refusal);
      };
    }
    const leave = () => {
      clearTimeout(request.timer);
      lane.waiting = lane.waiting.filter((other) => other !== request);
      this.startWaiting(lane);
    };
    const timer = setTimeout(() => {
      leave();
      settle(buildThrottled(lane));
    }, MAX_WAIT_MS);
    const request: WaitingRequest = { weight, settle, timer };
    lane.waiting.push(request);
    return leave;
  }

  private admit(lane: Lane, weight: number): Admission {
    const { organisationId } = lane;
    lane.runningWeight += weight;
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        lane.runningWeight -= weight;
        this.noteActivity(organisationId);
        this.startWaiting(lane);
      },
    };
  }

  private startWaiting(lane: Lane): void {
    for (let [next] = lane.waiting; next && this.hasRoom(lane, next.weight); [next] = lane.waiting) {
      lane.waiting.shift();
      clearTimeout(next.timer);
      next.settle(this.admit(lane, next.weight));
    }
    if (lane.runningWeight === 0 && lane.waiting.length === 0) this.lanes.delete(keyOf(lane));
  }

  private hasRoom({ kind, organisationId, runningWeight }: Lane, weight: number): boolean {
    const { alone, shared } = this.limits[kind];
    const limit = this.isShared(organisationId) ? shared : alone;
    return runningWeight === 0 || runningWeight + weight <= limit;
  }

  /** True if another organisation has used this process a moment ago. */
  private isShared(organisationId: number): boolean {
    const other = this.latest.organisationId === organisationId ? this.previous : this.latest;
    return this.now() - other.at < ACTIVE_MS;
  }

  private noteActivity(organisationId: number): void {
    if (this.latest.organisationId !== organisationId) {
      [this.latest, this.previous] = [this.previous, this.latest];
      this.latest.organisationId = organisationId;
    }
    this.latest.at = this.now();
  }

  private laneOf(kind: RequestKind, organisationId: number): Lane {
    const key = keyOf({ kind, organisationId });
    const existing = this.lanes.get(key);
    if (existing) return existing;
    const lane: Lane = { kind, organisationId, runningWeight: 0, waiting: [] };
    this.lanes.set(key, lane);
    return lane;
  }
}

function keyOf({ kind, organisationId }: Pick<Lane, 'kind' | 'organisationId'>): string {
  return `${organisationId} ${kind}`;
}

function buildThrottled({ kind, waiting }: Lane): Throttled {
  return new Throttled(
    `Your organisation has too many requests for ${kind} in progress: ${waiting.length} wait. Send fewer at once.`,
    RETRY_AFTER_MS,
  );
}
