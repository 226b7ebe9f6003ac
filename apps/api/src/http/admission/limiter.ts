import { PortageError, Throttled } from '@portage/platform';
import type { ConcurrencyLimit, RequestKind } from './request-kind';

/** Requests of one owner and kind that wait while the limit is reached. Further requests get 429. */
const MAX_WAITING = 256;

/** Maximum wait. After that the request gets 429. */
const MAX_WAIT_MS = 10_000;

/** Time after which a request that may not wait gets 429. At once, a client that repeats it would fill the event loop. */
const REFUSAL_DELAY_MS = 1_000;

/** The pause after which a refused client should try again. */
const RETRY_AFTER_MS = 2_000;

/** Time after its last request in which an owner counts as one that uses this process. */
const ACTIVE_MS = 2_000;

/** An owner may have this many times as many requests in progress as another one that is active. */
const MAX_RATIO = 2;

/** What a {@link Limiter} limits. */
export interface Limits {
  readonly requests: Readonly<Record<RequestKind, ConcurrencyLimit>>;
  /** Memory of bodies, of one owner and of all. */
  readonly maxBytesOfOwner: number;
  readonly maxBytes: number;
}

/** The part of the limits that a request holds. */
export interface Admission {
  /** Raises the memory of the request to `bytes` if it is less, or returns the 429 or 503 that prevents it. */
  grow(bytes: number): PortageError | undefined;
  /** Ends the request. Repeated calls have no effect. */
  release(): void;
}

/** The outcome of a request for an admission. */
type Settle = (outcome: Admission | Throttled) => void;

interface WaitingRequest {
  readonly weight: number;
  readonly settle: Settle;
  readonly timer: NodeJS.Timeout;
}

/** The requests of one owner and kind. */
interface RequestsOfKind {
  readonly kind: RequestKind;
  runningWeight: number;
  waiting: WaitingRequest[];
}

/** What an owner uses of this process. */
interface Usage {
  readonly owner: string;
  readonly kinds: Map<RequestKind, RequestsOfKind>;
  /** Memory of its bodies. */
  bytes: number;
  /** The weight of its requests that run and wait. */
  demand: number;
  /** The highest demand since `since`, and in the period before it. */
  peakDemand: number;
  previousPeakDemand: number;
  since: number;
  /** Of its last request. */
  at: number;
}

/**
 * Limits what each owner, an organisation, has in progress in this process: its requests, by kind, and the memory of
 * their bodies.
 *
 * The limit of requests depends on the other owners that are active: an owner may have twice as many in progress as the
 * one with the fewest. So an organisation that sends one request at a time shares the process with two requests of each
 * other one, and organisations that all send many at once all get their high limits.
 */
export class Limiter {
  private readonly usages = new Map<string, Usage>();
  private totalBytes = 0;

  /** @param now a monotonic time in milliseconds */
  constructor(
    private readonly limits: Limits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Memory of all bodies. */
  get bytes(): number {
    return this.totalBytes;
  }

  /**
   * Admits a request at once if the limits allow it, or later, in the order of arrival.
   *
   * @param weight the share of the limit that the request takes: one that is heavier than the limit takes all of it, and
   * one without weight is not limited
   * @param settle gets the admission, or the error of a request that waited too long or had too many before it
   * @returns a function that gives up waiting
   */
  enter(owner: string, kind: RequestKind, weight: number, settle: Settle): () => void {
    const usage = this.usageOf(owner);
    const requests = requestsOf(usage, kind);
    if (requests.waiting.length === 0 && this.hasRoom(usage, requests, weight)) {
      this.changeDemand(usage, kind, weight);
      settle(this.admit(usage, requests, weight));
      return () => undefined;
    }
    if (requests.waiting.length >= MAX_WAITING) {
      const refusal = setTimeout(settle, REFUSAL_DELAY_MS, buildThrottled(kind));
      return () => {
        clearTimeout(refusal);
      };
    }
    this.changeDemand(usage, kind, weight);
    const leave = () => {
      if (!requests.waiting.includes(request)) return;
      clearTimeout(request.timer);
      requests.waiting = requests.waiting.filter((other) => other !== request);
      this.changeDemand(usage, kind, -weight);
      this.startWaiting(usage, requests);
    };
    const timer = setTimeout(() => {
      leave();
      settle(buildThrottled(kind));
    }, MAX_WAIT_MS);
    const request: WaitingRequest = { weight, settle, timer };
    requests.waiting.push(request);
    return leave;
  }

  private admit(usage: Usage, requests: RequestsOfKind, weight: number): Admission {
    requests.runningWeight += weight;
    let heldBytes = 0;
    let isReleased = false;
    return {
      grow: (bytes) => {
        const missing = bytes - heldBytes;
        if (missing <= 0 || isReleased) return undefined;
        if (usage.bytes + missing > this.limits.maxBytesOfOwner) return buildThrottled(requests.kind);
        if (this.totalBytes + missing > this.limits.maxBytes)
          return new PortageError(
            'unavailable',
            'The service has too many large requests at once. Send this one again.',
          );
        heldBytes = bytes;
        usage.bytes += missing;
        this.totalBytes += missing;
        return undefined;
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        usage.bytes -= heldBytes;
        this.totalBytes -= heldBytes;
        requests.runningWeight -= weight;
        this.changeDemand(usage, requests.kind, -weight);
        this.startWaiting(usage, requests);
      },
    };
  }

  private startWaiting(usage: Usage, requests: RequestsOfKind): void {
    for (
      let [next] = requests.waiting;
      next && this.hasRoom(usage, requests, next.weight);
      [next] = requests.waiting
    ) {
      requests.waiting.shift();
      clearTimeout(next.timer);
      next.settle(this.admit(usage, requests, next.weight));
    }
    this.forgetIdle(usage);
  }

  private hasRoom(usage: Usage, { kind, runningWeight }: RequestsOfKind, weight: number): boolean {
    return runningWeight === 0 || runningWeight + weight <= this.limitOf(usage, kind);
  }

  private limitOf(usage: Usage, kind: RequestKind): number {
    const { maxWithoutOthers, maxBesideOthers } = this.limits.requests[kind];
    const demand = this.lowestOtherDemand(usage);
    return Math.min(maxWithoutOthers, Math.max(maxBesideOthers, MAX_RATIO * demand));
  }

  /** The demand of the active owner that has the lowest; Infinity if no other owner is active. */
  private lowestOtherDemand(usage: Usage): number {
    let lowest = Infinity;
    for (const other of this.usages.values()) {
      if (other === usage) continue;
      if (this.isActive(other))
        lowest = Math.min(lowest, Math.max(other.peakDemand, other.previousPeakDemand));
      else this.forgetIdle(other);
    }
    return lowest;
  }

  private changeDemand(usage: Usage, kind: RequestKind, weight: number): void {
    // An upload lasts for minutes or hours, and a reader of events waits. They must not limit the interactive requests
    // of others for that time.
    if (weight === 0 || kind === 'uploads' || kind === 'events') return;
    const at = this.now();
    usage.demand += weight;
    usage.at = at;
    const age = at - usage.since;
    if (age >= ACTIVE_MS) {
      usage.previousPeakDemand = age < 2 * ACTIVE_MS ? usage.peakDemand : 0;
      usage.peakDemand = usage.demand;
      usage.since = at;
    } else usage.peakDemand = Math.max(usage.peakDemand, usage.demand);
  }

  private isActive({ demand, at }: Usage): boolean {
    return demand > 0 || this.now() - at < ACTIVE_MS;
  }

  private usageOf(owner: string): Usage {
    const existing = this.usages.get(owner);
    if (existing) return existing;
    const usage: Usage = {
      owner,
      kinds: new Map(),
      bytes: 0,
      demand: 0,
      peakDemand: 0,
      previousPeakDemand: 0,
      since: -Infinity,
      at: -Infinity,
    };
    this.usages.set(owner, usage);
    return usage;
  }

  private forgetIdle(usage: Usage): void {
    if (usage.bytes > 0 || this.isActive(usage)) return;
    for (const { runningWeight, waiting } of usage.kinds.values())
      if (runningWeight > 0 || waiting.length > 0) return;
    this.usages.delete(usage.owner);
  }
}

function requestsOf({ kinds }: Usage, kind: RequestKind): RequestsOfKind {
  const existing = kinds.get(kind);
  if (existing) return existing;
  const requests: RequestsOfKind = { kind, runningWeight: 0, waiting: [] };
  kinds.set(kind, requests);
  return requests;
}

function buildThrottled(kind: RequestKind): Throttled {
  return new Throttled(
    `Your requests for ${kind} that are in progress are too many, or too large together. Send fewer at once.`,
    RETRY_AFTER_MS,
  );
}
