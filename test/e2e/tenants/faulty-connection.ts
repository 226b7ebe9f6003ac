import { connect, createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';

/** What becomes of an upload after some of its bytes. */
export type Fault = 'cut' | 'stall';

interface PlannedFault {
  kind: Fault;
  afterBytes: number;
  /** Resolves when the fault may strike; until then nothing more is passed on. */
  isDue: () => Promise<void>;
}

/**
 * A network between a client and Portage, which cuts the connection of an upload in its middle, or passes nothing on
 * any more while the connection stays open. Other requests pass.
 */
export class FaultyConnection {
  /** Uploads that have begun. */
  uploads = 0;
  /** Called when an upload has passed this many bytes on, once. */
  onBytes: { count: number; act: () => void } | undefined;
  private readonly faults: PlannedFault[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: URL,
  ) {}

  static async start(target: string): Promise<FaultyConnection> {
    const { hostname, port } = new URL(target);
    const server = createServer((client) => {
      connection.pass(client, connect(Number(port), hostname));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const connection = new FaultyConnection(server, url);
    return connection;
  }

  /** The next uploads fail, one for each call. */
  failUpload(kind: Fault, afterBytes: number, isDue = async () => Promise.resolve()): void {
    this.faults.push({ kind, afterBytes, isDue });
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(client: Socket, portage: Socket): void {
    for (const socket of [client, portage]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        portage.destroy();
      });
    }
    portage.pipe(client);
    let uploaded = 0;
    let isUpload = false;
    let fault: PlannedFault | undefined;
    client.on('data', (chunk: Buffer) => {
      if (
        !isUpload &&
        /^POST \S+\/submissions\/\d+\/(accounts|additions)\//.test(chunk.toString('latin1', 0, 200))
      ) {
        isUpload = true;
        this.uploads += 1;
        fault = this.faults.shift();
      }
      if (isUpload) uploaded += chunk.length;
      if (isUpload && this.onBytes && uploaded >= this.onBytes.count) {
        this.onBytes.act();
        this.onBytes = undefined;
      }
      if (fault && uploaded >= fault.afterBytes) {
        // Neither reads nor answers from now on.
        client.pause();
        portage.unpipe(client);
        if (fault.kind === 'cut') void fault.isDue().finally(() => client.destroy());
        return;
      }
      if (!portage.write(chunk)) {
        client.pause();
        portage.once('drain', () => client.resume());
      }
    });
  }
}
