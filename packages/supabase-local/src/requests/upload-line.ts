/** The client went away, or stopped sending. */
export class LineBroken extends Error {
  override name = 'LineBroken';
}

const PATIENCE_MS = 15_000;

type Patience = {
  /** ms to wait for the next piece, so that a dead line holds nothing. */
  patienceMs?: number;
  /** Ends the wait at once. */
  letGo?: AbortSignal;
};

function orLate<T>(coming: Promise<T>, { patienceMs = PATIENCE_MS, letGo }: Patience): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onLetGo = () => reject(new LineBroken('Another request goes on with it'));
  const timer = setTimeout(() => reject(new LineBroken('Nothing came for too long')), patienceMs);
  letGo?.addEventListener('abort', onLetGo);
  if (letGo?.aborted) onLetGo();
  return Promise.race([coming, late]).finally(() => {
    clearTimeout(timer);
    letGo?.removeEventListener('abort', onLetGo);
  });
}

/**
 * The pieces of a request's body.
 *
 * @throws {LineBroken}
 */
export async function* piecesOf(body: ReadableStream<Uint8Array>, patience: Patience = {}): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const read = () =>
    reader.read().catch((error: unknown) => {
      throw new LineBroken('The client went away', { cause: error });
    });
  try {
    for (let next = await orLate(read(), patience); !next.done; next = await orLate(read(), patience)) yield next.value;
  } finally {
    // A line that is broken already cannot be told so.
    await reader.cancel().catch(() => undefined);
  }
}
