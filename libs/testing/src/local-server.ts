import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server of any protocol on a free port of this machine. */
export interface LocalServer {
  port: number;
  /** As a server of HTTP. */
  url: string;
  /** Connections that are open. */
  sockets: ReadonlySet<Socket>;
  /** Closes all connections and the port. */
  stop: () => Promise<void>;
}

/** Lets a server listen on a free port. Errors of its connections are ignored. */
export async function listenLocally(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    sockets,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
