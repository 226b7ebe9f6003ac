import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config } from '@portage/config';
import { Logger } from '@portage/observability';

/** How long a connection that is open but silent is waited for: a request may be on its way. */
const SILENT_CONNECTION_MS = 1_000;

/**
 * A clean stop (DESIGN 3, promise 6), in three steps: say that this instance is not ready and go on as before, until
 * load balancers have noticed; accept no new connection and close each open one with its next answer; close what is
 * left. Closing the server at once would reset connections whose request is still on the wire.
 */
@Injectable()
export class Draining implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** This instance is going away: readiness fails from now on. */
  hasStarted = false;
  /** Each answer from now on is the last on its connection. */
  isClosing = false;
  private readonly connections = new Set<Socket>();

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

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    if (!signal) return;
    this.logger.info('Stopping: finishing the requests in hand.', { signal });
    const { SHUTDOWN_GRACE_MS, DRAIN_TIMEOUT_MS } = this.config;
    setTimeout(() => {
      this.logger.failure('Requests were still running when time was up.');
      process.exit(1);
    }, SHUTDOWN_GRACE_MS + DRAIN_TIMEOUT_MS).unref();
    this.hasStarted = true;
    await sleep(SHUTDOWN_GRACE_MS);
    await this.stopListening();
    const until = performance.now() + SILENT_CONNECTION_MS;
    while (this.connections.size > 0 && performance.now() < until) await sleep(20);
    // Opened ahead of need and never used: the server takes it for a request that is on its way, and would wait.
    for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Only the listening ends: http.Server's own close() would also destroy connections that it takes for idle. The
   * first answer that sends a client away comes after it, for a client that came back sooner would find a connection
   * that nobody accepts.
   */
  private async stopListening(): Promise<void> {
    await new Promise<void>((resolve) => {
      // Right after the poll phase every connection that has arrived is accepted, so none is lost with the socket.
      setImmediate(() => {
        NetServer.prototype.close.call(this.server);
        this.isClosing = true;
        resolve();
      });
    });
  }

  private get server(): NetServer {
    return this.host.httpAdapter.getHttpServer() as NetServer;
  }
}
