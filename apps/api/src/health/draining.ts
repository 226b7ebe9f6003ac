import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config, Logger } from '@portage/platform';

/** Time to wait for open connections that send nothing, because a request may be in transit. */
const SILENT_CONNECTION_MS = 1_000;

/**
 * Drains HTTP connections on shutdown, so that no request fails, in three steps:
 *
 * 1. Readiness fails, and requests are served as before for SHUTDOWN_GRACE_MS, until load balancers have noticed.
 * 2. New connections are refused, and each open connection is closed with its next response.
 * 3. The remaining connections are closed.
 *
 * Closing the server at once would reset connections whose request is in transit.
 */
@Injectable()
export class Draining implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Step 1 has begun: readiness fails. */
  hasStarted = false;
  /** Step 2 has begun: each response is the last one on its connection. */
  isClosing = false;
  private readonly connections = new Set<Socket>();
  /** Each ends a request that lasts until something happens. */
  private readonly endCallbacks = new Set<() => void>();

  constructor(
    private readonly logger: Logger,
    private readonly host: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /**
   * Registers a request that lasts until something happens: `end` is called when step 2 begins.
   *
   * @returns a function that ends the registration
   */
  endAtShutdown(end: () => void): () => void {
    if (this.isClosing) end();
    this.endCallbacks.add(end);
    return () => {
      this.endCallbacks.delete(end);
    };
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    if (!signal) return;
    this.logger.log('Stopping: finishing the active requests.', { signal });
    const { SHUTDOWN_GRACE_MS, DRAIN_TIMEOUT_MS } = this.config;
    setTimeout(() => {
      this.logger.error('Requests were still running at the end of DRAIN_TIMEOUT_MS.');
      process.exit(1);
    }, SHUTDOWN_GRACE_MS + DRAIN_TIMEOUT_MS).unref();
    this.hasStarted = true;
    await sleep(SHUTDOWN_GRACE_MS);
    await this.stopListening();
    const until = performance.now() + SILENT_CONNECTION_MS;
    while (this.connections.size > 0 && performance.now() < until) await sleep(20);
    // A connection that was opened in advance and never used: the server would wait for its first request.
    for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Stops listening and leaves connections open: http.Server's close() would also destroy connections that it
   * considers idle. No response closes its connection before this has happened, because the client could then connect
   * again to a socket that is about to be closed.
   */
  private async stopListening(): Promise<void> {
    await new Promise<void>((resolve) => {
      // After the poll phase every connection that has arrived is accepted, so none is lost with the socket.
      setImmediate(() => {
        NetServer.prototype.close.call(this.server);
        this.isClosing = true;
        for (const end of this.endCallbacks) end();
        resolve();
      });
    });
  }

  private get server(): NetServer {
    return this.host.httpAdapter.getHttpServer() as NetServer;
  }
}
