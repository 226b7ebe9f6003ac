import { FaultProxy, type Watcher } from '@portage/testing/installation';

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

  private constructor(private readonly proxy: FaultProxy) {
    proxy.watch = () => this.watch();
  }

  static async start(target: string): Promise<FaultyConnection> {
    return new FaultyConnection(await FaultProxy.start(target));
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.proxy.port}`);
  }

  /** The next uploads fail, one for each call. */
  failUpload(kind: Fault, afterBytes: number, isDue = async () => Promise.resolve()): void {
    this.faults.push({ kind, afterBytes, isDue });
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
  }

  private watch(): Watcher {
    let uploaded = 0;
    let isUpload = false;
    let fault: PlannedFault | undefined;
    return (chunk, connection) => {
      if (
        !isUpload &&
        /^POST \S+\/submissions\/\d+\/(accounts|additions)\//.test(chunk.toString('latin1', 0, 200))
      ) {
        isUpload = true;
        this.uploads += 1;
        fault = this.faults.shift();
      }
      if (!isUpload) return;
      uploaded += chunk.length;
      if (this.onBytes && uploaded >= this.onBytes.count) {
        this.onBytes.act();
        this.onBytes = undefined;
      }
      if (!fault || uploaded < fault.afterBytes) return;
      connection.hold();
      if (fault.kind === 'cut')
        void fault.isDue().finally(() => {
          connection.cut();
        });
    };
  }
}
