import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server of any protocol on a port of this machine. */
export interface LocalServer {
  port: number;
  /** As a server of HTTP. */
  url: string;
  /** Connections that are open. */
  sockets: ReadonlySet<Socket>;
  /** Closes all connections and the port. */
  stop: () => Promise<void>;
}

/** Lets a server listen, on a free port unless told otherwise. Errors of its connections are ignored. */
export async function listenLocally(
  server: Server,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, host), 'listening');
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://${host}:${address.port}`,
    sockets,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
