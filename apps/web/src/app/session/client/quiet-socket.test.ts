// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { quietSocket } from './quiet-socket.ts';

const ADDRESS = 'ws://127.0.0.1/realtime';
let network: EventTarget;
let isOnline: boolean;
let opened: Wire[];

/** Stands for the browser's own: counts what is opened and what goes out. */
class Wire extends EventTarget {
  readyState: number = WebSocket.OPEN;
  sent: string[] = [];
  onopen: unknown = null;
  onmessage: unknown = null;
  onerror: unknown = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  address: string;
  constructor(address: string) {
    super();
    this.address = address;
    opened.push(this);
  }
  send(words: string) {
    this.sent.push(words);
  }
  close() {
    this.sent.push('closed');
  }
}

beforeEach(() => {
  network = new EventTarget();
  isOnline = true;
  opened = [];
});

function open(): { socket: WebSocket; ends: CloseEvent[] } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a socket as is asked for
  const Quiet = quietSocket(Wire as unknown as typeof WebSocket, { network, isOnline: () => isOnline });
  const socket = new Quiet(ADDRESS);
  const ends: CloseEvent[] = [];
  socket.onclose = event => ends.push(event);
  return { socket, ends };
}
function set(on: boolean): void {
  isOnline = on;
  network.dispatchEvent(new Event(on ? 'online' : 'offline'));
}

test('with a network it is the browser’s own', () => {
  const { socket, ends } = open();
  socket.send('hello');
  expect([opened.length, opened[0]?.address, opened[0]?.sent, ends]).toEqual([1, ADDRESS, ['hello'], []]);
});

test('it ends once when the network goes, says nothing into the void, and says good-bye when the network is back', () => {
  const { socket, ends } = open();
  set(false);
  expect([ends.length, ends[0]?.code, ends[0]?.wasClean, socket.readyState]).toEqual([
    1,
    1006,
    false,
    WebSocket.CLOSED,
  ]);
  socket.send('leave');
  socket.close();
  expect(opened[0]?.sent).toEqual([]);
  set(true);
  set(false);
  set(true);
  expect([opened[0]?.sent, ends.length]).toEqual([['closed'], 1]);
});

test('with no network nothing is opened; whoever waits is told once it is back, not before', async () => {
  isOnline = false;
  const { socket, ends } = open();
  expect([opened, socket.readyState]).toEqual([[], WebSocket.CONNECTING]);
  await Promise.resolve();
  expect(ends).toEqual([]);
  set(true);
  expect(ends).toEqual([]);
  await Promise.resolve();
  expect([ends.length, socket.readyState, opened]).toEqual([1, WebSocket.CLOSED, []]);
  set(false);
  set(true);
  await Promise.resolve();
  expect(ends).toHaveLength(1);
});

test('one that is let go while it waits is told so, and forgets the network', async () => {
  isOnline = false;
  const { socket, ends } = open();
  socket.close();
  await Promise.resolve();
  set(true);
  await Promise.resolve();
  expect([ends.length, socket.readyState]).toEqual([1, WebSocket.CLOSED]);
});

test('one that is let go before it stands is over for its user at once, and is closed when it stands', async () => {
  const { socket, ends } = open();
  const wire = opened[0]!;
  wire.readyState = WebSocket.CONNECTING;
  socket.close();
  expect([wire.sent, ends, socket.readyState]).toEqual([[], [], WebSocket.CLOSED]);
  await Promise.resolve();
  expect(ends.map(({ code, wasClean }) => [code, wasClean])).toEqual([[1000, true]]);
  set(false);
  wire.dispatchEvent(new Event('open'));
  expect([wire.sent, ends.length]).toEqual([['closed'], 1]);
});

test('one that stands is closed as it is', () => {
  const { socket } = open();
  socket.close();
  expect(opened[0]?.sent).toEqual(['closed']);
});
