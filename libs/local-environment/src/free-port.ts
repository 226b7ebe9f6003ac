import { createServer } from 'node:net';

async function isFree(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(undefined);
    });
    probe.listen(port, '127.0.0.1', () => {
      const { port: found } = probe.address() as { port: number };
      probe.close(() => {
        resolve(found);
      });
    });
  });
}

/** The wanted port of 127.0.0.1 where it is free, else any free one. */
export async function freePort(wanted = 0): Promise<number> {
  const port = (await isFree(wanted)) ?? (await isFree(0));
  if (port === undefined) throw new Error('No port of 127.0.0.1 is free.');
  return port;
}
