import { createServer } from 'node:net';

const listens = (port: number): Promise<number | null> =>
  new Promise(resolve => {
    const server = createServer();
    server.on('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : null));
    });
  });

/** A TCP port of this machine that nobody listens on right now. */
export async function freePort(): Promise<number> {
  const port = await listens(0);
  if (port === null) throw new Error('no free port');
  return port;
}

/** One that can be used again and again: the system gives none of these to connections that go out. */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = await listens(20_000 + Math.floor(Math.random() * 10_000));
    if (port !== null) return port;
  }
  throw new Error('no free port from 20000 to 29999');
}
