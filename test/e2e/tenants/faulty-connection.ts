import { FaultProxy, type Watcher } from '@portage/testing/installation';

interface PlannedCut {
  afterBytes: number;
  /** Resolves when the connection may be cut; until then nothing more is passed on. */
  isDue: () => Promise<void>;
}

/** A network between a client and Portage, which cuts the connection of an upload in its middle. Other requests pass. */
export class FaultyConnection {
  /** Uploads that have begun. */
  uploads = 0;
  /** Called when an upload has passed this many bytes on, once. */
  onBytes: { count: number; act: () => void } | undefined;
  private readonly cuts: PlannedCut[] = [];

  private constructor(private readonly proxy: FaultProxy) {
    proxy.watch = () => this.watch();
  }

  static async start(target: string): Promise<FaultyConnection> {
    return new FaultyConnection(await FaultProxy.start(target));
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.proxy.port}`);
  }

  /** The next uploads are cut, one for each call. */
  cutUpload(afterBytes: number, isDue: () => Promise<void>): void {
    this.cuts.push({ afterBytes, isDue });
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
  }

  private watch(): Watcher {
    let uploaded = 0;
    let isUpload = false;
    let cut: PlannedCut | undefined;
    return (chunk, connection) => {
      if (
        !isUpload &&
        /^POST \S+\/submissions\/\d+\/(accounts|additions)\//.test(chunk.toString('latin1', 0, 200))
      ) {
        isUpload = true;
        this.uploads += 1;
        cut = this.cuts.shift();
      }
      if (!isUpload) return;
      uploaded += chunk.length;
      if (this.onBytes && uploaded >= this.onBytes.count) {
        this.onBytes.act();
        this.onBytes = undefined;
      }
      if (!cut || uploaded < cut.afterBytes) return;
      connection.hold();
      void cut.isDue().finally(() => {
        connection.cut();
      });
    };
  }
}
