/** What came over a socket: `[join_ref, ref, topic, event, payload]`. */
type SocketMessage = [string | null, string | null, string, string, Record<string, unknown>];

type Reply = { status: string; reason?: string };

/** The bare protocol, for what the client library would not say. */
export type RawSocket = {
  /** Sends it and waits for its answer; `closed` where the socket ends first. */
  ask(topic: string, event: string, payload: object): Promise<Reply>;
  /** Sends it and waits for nothing. */
  say(topic: string, event: string, payload: object): void;
  heard: SocketMessage[];
  socket: WebSocket;
  /** Settles with the code it was closed with. */
  closed: Promise<number>;
  close(): Promise<unknown>;
};

/** @throws {Error} when the server takes no socket from here */
export async function rawSocket(url: string, key: string): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`);
  const heard: SocketMessage[] = [];
  const waiting = new Map<string, (reply: Reply) => void>();
  let refs = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as SocketMessage;
    heard.push(message);
    const [, ref, , event, payload] = message;
    if (event !== 'phx_reply' || ref === null) return;
    const { status, response } = payload as { status: string; response: { reason?: string } };
    waiting.get(ref)?.({ status, ...response });
    waiting.delete(ref);
  });
  const closed = new Promise<number>(resolve => socket.addEventListener('close', ({ code }) => resolve(code)));
  void closed.then(() => waiting.forEach(tell => tell({ status: 'closed' })));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('no socket')));
  });
  const send = (topic: string, event: string, payload: object): string => {
    const ref = String((refs += 1));
    socket.send(JSON.stringify([topic, ref, topic, event, payload]));
    return ref;
  };
  return {
    ask(topic, event, payload) {
      // What is sent over a closed one is dropped without a word.
      if (socket.readyState !== WebSocket.OPEN) return Promise.resolve({ status: 'closed' });
      return new Promise(resolve => waiting.set(send(topic, event, payload), resolve));
    },
    say: (topic, event, payload) => void send(topic, event, payload),
    heard,
    socket,
    closed,
    close() {
      socket.close();
      return closed;
    },
  };
}
