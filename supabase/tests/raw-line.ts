import { connect, type Socket } from 'node:net';

/** One request, as it is written to a line. */
export type RawRequest = { method?: string; path: string; headers?: Record<string, string>; body?: string };

/** A line of its own that sent its bytes in one go, saw how the answer begins, and reads no further. */
export type RawLine = {
  /** The status of the answer; `closed` where none came. */
  began: Promise<string>;
  /** Reads until the server closes the line. @returns the bytes that came in all */
  readOn(): Promise<number>;
};

const open = new Set<Socket>();

/** Ends every line that is still open. */
export function closeLines(): void {
  for (const socket of open) socket.destroy();
}

export function requestText({ method = 'GET', path, headers = {}, body = '' }: RawRequest): string {
  const all = { host: 'a', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** The same, after which the line is to be closed. */
export const lastRequestText = (request: RawRequest): string =>
  requestText({ ...request, headers: { ...request.headers, connection: 'close' } });

function openLine(url: string): { socket: Socket; closed: Promise<void> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  open.add(socket);
  // Whoever is hung up on may hear of it as an error; it is closed all the same.
  socket.on('error', () => undefined);
  const closed = new Promise<void>(resolve => {
    socket.once('close', () => {
      open.delete(socket);
      resolve();
    });
  });
  return { socket, closed };
}

export function rawLine(url: string, text: string): RawLine {
  const { socket, closed } = openLine(url);
  let bytes = 0;
  const began = new Promise<string>(resolve => {
    socket.on('data', data => {
      if (bytes === 0) {
        socket.pause();
        resolve(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? 'none');
      }
      bytes += data.byteLength;
    });
    socket.once('close', () => resolve('closed'));
  });
  socket.write(text);
  return {
    began,
    async readOn() {
      await began;
      socket.resume();
      await closed;
      return bytes;
    },
  };
}

/** Sends these bytes in one go over a line of their own, and reads until the server closes it. @returns the status of each answer */
export async function statusesOf(url: string, text: string): Promise<string[]> {
  const { socket, closed } = openLine(url);
  let came = '';
  socket.on('data', data => void (came += data.toString('latin1')));
  socket.write(text);
  await closed;
  return [...came.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status);
}
