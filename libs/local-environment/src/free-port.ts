import { createServer } from 'node:net';

async function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(undefined);
    });
    probe.listen(port, '127.0.0.1', () => {
      const { port: actual } = probe.address() as { port: number };
      probe.close(() => {
        resolve(actual);
      });
    });
  });
}

/** Returns the preferred port of 127.0.0.1 if it is free, else any free port. */
export async function freePort(preferred = 0): Promise<number> {
  const port = (await tryPort(preferred)) ?? (await tryPort(0));
  if (port === undefined) throw new Error('No port of 127.0.0.1 is free.');
  return port;
}
