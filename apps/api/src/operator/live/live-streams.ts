import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { type SignedInOperator, ViewOverview, ViewSubmissions, ViewSuppliers } from '@portage/operators';
import { Logger, PortageError, Throttled } from '@portage/platform';
import type { FastifyRequest } from 'fastify';
import { watchAccess } from '../../http/access-check';
import { BEGIN_AFTER_MS, settledWithin } from '../../http/streamed-answer';
import { Draining } from '../../operations/draining';
import { MAX_OPERATOR_STREAMS, MAX_STREAMS } from './live.dto';

const TICK_MS = 1_500;
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for this long is disconnected. */
const MAX_BLOCKED_MS = 30_000;
/** How long the end of a stream waits for a reader that has not read what came before it. */
const END_TIMEOUT_MS = 2_000;
/** When a client should try again that was refused. */
const RETRY_AFTER_MS = 10_000;

type EndReason = 'session_ended' | 'stopping' | 'too_slow';

interface Stream {
  readonly topics: readonly string[];
  readonly response: ServerResponse;
  /** The content that each topic was sent with last. */
  readonly sent: Map<string, string>;
  /** Since when the reader has taken nothing, on the monotonic clock; undefined while it reads. */
  blockedSince: number | undefined;
  lastWriteAt: number;
  stopDrainingWatch: () => void;
  stopAccessCheck: () => void;
}

/**
 * The streams of operators. Every one and a half seconds, and only while there are streams, the content of each topic is
 * made once for all of them. A reader that is slow misses contents, and gets the newest one when it reads again.
 */
@Injectable()
export class LiveStreams {
  private readonly streams = new Set<Stream>();
  /** One for each stream, and for each that is about to begin or whose topics are still read. */
  private readonly places = new Set<{ operatorId: SignedInOperator['id'] }>();
  private timer: NodeJS.Timeout | undefined;
  private isTicking = false;
  private eventId = 0;

  constructor(
    private readonly overview: ViewOverview,
    private readonly suppliers: ViewSuppliers,
    private readonly submissions: ViewSubmissions,
    private readonly draining: Draining,
    private readonly logger: Logger,
  ) {}

  /**
   * Begins a stream. It ends with the session, when the client goes and when this instance stops. Its place is taken
   * before anything is awaited, so that the limits hold for streams that begin at the same time, and is left once the
   * client has gone and nothing is read for it any more.
   *
   * @param begin sends the headers
   * @throws Throttled if there are too many streams; PortageError `not_found` for an unknown supplier or submission
   */
  async follow(
    operator: SignedInOperator,
    topics: readonly string[],
    request: FastifyRequest,
    response: ServerResponse,
    begin: () => void,
  ): Promise<void> {
    const leave = this.takePlace(operator);
    const reading = this.readAll(topics, response);
    void reading
      .catch(() => undefined)
      .finally(() => {
        if (response.closed) leave();
        else response.once('close', leave);
      });
    await settledWithin(BEGIN_AFTER_MS, reading);
    if (response.destroyed) return;
    begin();
    const stream = this.add(topics, request, response);
    try {
      for (const [topic, content] of await reading)
        // A turn that came first has sent newer contents.
        if (this.streams.has(stream) && !stream.sent.has(topic)) this.send(stream, topic, content);
    } catch (error) {
      this.logger.detail('A topic of the live streams could not be read.', { error });
      // The headers were sent. The client connects again.
      response.destroy();
    }
  }

  /** @throws Throttled if no place is free */
  private takePlace({ id }: SignedInOperator): () => void {
    const own = [...this.places].filter((place) => place.operatorId === id).length;
    if (own >= MAX_OPERATOR_STREAMS)
      throw new Throttled(`You have ${MAX_OPERATOR_STREAMS} open streams. Close a page.`, RETRY_AFTER_MS);
    if (this.places.size >= MAX_STREAMS)
      throw new Throttled('This instance has too many open streams.', RETRY_AFTER_MS);
    const place = { operatorId: id };
    this.places.add(place);
    return () => {
      this.places.delete(place);
    };
  }

  /** The content of each topic, until the client has gone. */
  private async readAll(
    topics: readonly string[],
    response: ServerResponse,
  ): Promise<ReadonlyMap<string, string>> {
    const contents = new Map<string, string>();
    for (const topic of topics) if (!response.destroyed) contents.set(topic, await this.read(topic));
    return contents;
  }

  private add(topics: readonly string[], request: FastifyRequest, response: ServerResponse): Stream {
    const now = performance.now();
    const stream: Stream = {
      topics,
      response,
      sent: new Map<string, string>(),
      blockedSince: undefined,
      lastWriteAt: now,
      stopDrainingWatch: () => undefined,
      stopAccessCheck: () => undefined,
    };
    this.streams.add(stream);
    stream.stopDrainingWatch = this.draining.endAtShutdown(() => {
      this.end(stream, 'stopping');
    });
    stream.stopAccessCheck = watchAccess(request, () => {
      this.end(stream, 'session_ended');
    });
    response.on('drain', () => {
      stream.blockedSince = undefined;
    });
    response.once('close', () => {
      this.forget(stream);
    });
    response.on('error', () => {
      this.forget(stream);
    });
    this.timer ??= setInterval(() => {
      void this.tick();
    }, TICK_MS).unref();
    return stream;
  }

  private async tick(): Promise<void> {
    // A slow tick is not joined by the next one.
    if (this.isTicking) return;
    this.isTicking = true;
    try {
      const topics = new Set([...this.streams].flatMap((stream) => stream.topics));
      for (const topic of topics) {
        const content = await this.read(topic).catch((error: unknown) => {
          this.logger.detail('A topic of the live streams could not be read.', { error });
          return undefined;
        });
        if (content === undefined) continue;
        for (const stream of this.streams)
          if (stream.topics.includes(topic)) this.send(stream, topic, content);
      }
      this.keepOpen();
    } catch (error) {
      this.logger.warning('The live streams could not be served. The next turn repeats it.', { error });
    } finally {
      this.isTicking = false;
    }
  }

  private keepOpen(): void {
    const now = performance.now();
    for (const stream of this.streams) {
      if (stream.blockedSince !== undefined && now - stream.blockedSince > MAX_BLOCKED_MS)
        this.end(stream, 'too_slow');
      else if (stream.blockedSince === undefined && now - stream.lastWriteAt > HEARTBEAT_MS)
        this.write(stream, ': open\n\n');
    }
  }

  private send(stream: Stream, topic: string, content: string): void {
    if (stream.blockedSince !== undefined || stream.sent.get(topic) === content) return;
    stream.sent.set(topic, content);
    this.write(stream, this.format(topic, content));
  }

  private write(stream: Stream, text: string): void {
    stream.lastWriteAt = performance.now();
    if (!stream.response.write(text)) stream.blockedSince ??= performance.now();
  }

  private end(stream: Stream, reason: EndReason): void {
    if (!this.streams.has(stream)) return;
    this.forget(stream);
    stream.response.end(this.format('end', JSON.stringify({ reason })));
    // What a reader that does not read has not taken would keep the connection, and the instance that stops.
    if (reason === 'too_slow') stream.response.destroy();
    else setTimeout(() => stream.response.destroy(), END_TIMEOUT_MS).unref();
  }

  private format(event: string, data: string): string {
    this.eventId += 1;
    return `id: ${this.eventId}\nevent: ${event}\ndata: ${data}\n\n`;
  }

  private forget(stream: Stream): void {
    this.streams.delete(stream);
    stream.stopDrainingWatch();
    stream.stopAccessCheck();
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** @throws PortageError `not_found` */
  private async read(topic: string): Promise<string> {
    const separator = topic.indexOf(':');
    const [kind, name] =
      separator === -1 ? [topic, ''] : [topic.slice(0, separator), topic.slice(separator + 1)];
    if (kind === 'supplier') return JSON.stringify(await this.suppliers.read(name));
    if (kind === 'submission') return JSON.stringify(await this.submissions.read(name));
    if (topic === 'overview') return JSON.stringify(await this.overview.read());
    throw new PortageError('not_found', 'There is no such topic.');
  }
}
