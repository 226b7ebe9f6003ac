import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type ClientBase } from 'pg';

/** Maximum time for one request to cancel a statement. */
const CANCEL_TIMEOUT_MS = 2_000;

/** A request that arrives before its statement has no effect, so it is repeated after this time. */
const REPEAT_AFTER_MS = 200;

/** The parts of a client and of a connection of `pg` that its types leave out. */
interface RunningClient extends ClientBase {
  host: string;
  port: number;
  ssl: object | boolean;
  processID: number | null;
  secretKey: number | null;
}
interface CancelConnection extends Connection {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/**
 * Cancels the statement of a connection, by the cancel request of the protocol: it needs no session, and poolers forward
 * it. Returns once the server has handled the request, so that it cannot strike a later statement. A statement that
 * cannot be cancelled ends at its timeout.
 *
 * @param isRunning false once the statement has ended
 */
export async function cancelStatement(client: ClientBase, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    await requestCancel(client as RunningClient);
    if (isRunning()) await sleep(REPEAT_AFTER_MS);
  }
}

async function requestCancel({ host, port, ssl, processID, secretKey }: RunningClient): Promise<void> {
  if (processID === null || secretKey === null) return;
  const connection = new Connection({ ssl }) as CancelConnection;
  const { stream } = connection;
  const timer = setTimeout(() => stream.destroy(), CANCEL_TIMEOUT_MS);
  const send = () => {
    connection.cancel(processID, secretKey);
  };
  connection.on('connect', () => {
    if (ssl) connection.requestSsl();
    else send();
  });
  connection.on('sslconnect', send);
  connection.on('error', () => stream.destroy());
  try {
    // The server answers nothing. It closes the connection once it has signalled the session.
    const ended = new Promise((resolve) => connection.once('end', resolve));
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
    await ended;
  } finally {
    clearTimeout(timer);
  }
}
