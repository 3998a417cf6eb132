import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundConnections } from './open-connections.ts';

let server: Server;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function listen(): Promise<number> {
  server = createServer();
  boundConnections(server, { network: 2, all: 5 });
  server.on('connection', socket => socket.destroyed || socket.write('here'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** @returns whether a connection from this address was kept */
async function opens(port: number, localAddress: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  return new Promise(resolve => {
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false));
    socket.once('error', () => resolve(false));
  });
}

test('a network has so many open connections and no more, until one of them ends; others still come in', async () => {
  const port = await listen();
  const of = (address: string) => opens(port, address);
  expect([await of('127.0.0.2'), await of('127.0.0.2'), await of('127.0.0.2')]).toEqual([true, true, false]);
  expect([await of('127.0.0.3'), await of('127.0.0.3')]).toEqual([true, true]);
  sockets[0]?.destroy();
  await expect.poll(() => of('127.0.0.2')).toBe(true);
});

test('what a proxy on this machine brings counts towards the whole alone', async () => {
  const port = await listen();
  const opened: boolean[] = [];
  for (let n = 0; n < 6; n += 1) opened.push(await opens(port, '127.0.0.1'));
  expect(opened).toEqual([true, true, true, true, true, false]);
});
