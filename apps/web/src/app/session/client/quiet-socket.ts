/** What a socket hears of the network; `window` is one. */
export type NetworkEvents = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

type Options = { network: NetworkEvents; isOnline: () => boolean };

/**
 * A WebSocket that ends when the device loses its network, and is not tried while there is none. Left to itself the browser keeps a
 * socket it cannot write to, tries anew at every pause of the library, and says in the console each time that there is no network.
 *
 * @param Native the browser's own
 */
export function quietSocket(Native: typeof WebSocket, { network, isOnline }: Options): typeof WebSocket {
  return new Proxy(Native, {
    construct(_, [address, protocols]: [string, string[] | undefined]) {
      return isOnline() ? endingWithNetwork(new Native(address, protocols), network) : waiting(network);
    },
  });
}

const lost = (): CloseEvent => new CloseEvent('close', { code: 1006, reason: 'no network', wasClean: false });

/** Where there is no network: nothing is asked for, and once it is back whoever waits is told to try again. */
function waiting(network: NetworkEvents): WebSocket {
  const socket = {
    readyState: WebSocket.CONNECTING as number,
    bufferedAmount: 0,
    onclose: null as WebSocket['onclose'],
    send() {},
    close: end,
  };
  function end(): void {
    network.removeEventListener('online', end);
    if (socket.readyState === WebSocket.CLOSED) return;
    socket.readyState = WebSocket.CLOSED;
    // As with the browser's own, nobody is told while they ask.
    queueMicrotask(() => socket.onclose?.call(asSocket, lost()));
  }
  network.addEventListener('online', end);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a socket as the library takes
  const asSocket = socket as unknown as WebSocket;
  return asSocket;
}

const nothing = (): void => undefined;

/** Ends for its user, whatever the browser's own does. @returns whoever is to be told */
function endFor(socket: WebSocket): WebSocket['onclose'] {
  const told = socket.onclose;
  socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null;
  Object.defineProperties(socket, {
    readyState: { value: WebSocket.CLOSED },
    send: { value: nothing },
    close: { value: nothing },
  });
  return told;
}

/** Ends for its user when the network goes. What could only be said over the network (good-bye) is said once it is back. */
function endingWithNetwork(socket: WebSocket, network: NetworkEvents): WebSocket {
  const close = socket.close.bind(socket);
  const end = () => {
    network.addEventListener('online', () => close(), { once: true });
    endFor(socket)?.call(socket, lost());
  };
  // The browser complains of one that is let go before it stands: that one is closed as soon as it does.
  const letGo = (code?: number, reason?: string) => {
    if (socket.readyState !== WebSocket.CONNECTING) return close(code, reason);
    network.removeEventListener('offline', end);
    socket.addEventListener('open', () => close(), { once: true });
    const told = endFor(socket);
    queueMicrotask(() => told?.call(socket, new CloseEvent('close', { code: 1000, wasClean: true })));
  };
  Object.defineProperty(socket, 'close', { value: letGo, configurable: true });
  network.addEventListener('offline', end, { once: true });
  socket.addEventListener('close', () => network.removeEventListener('offline', end));
  return socket;
}
