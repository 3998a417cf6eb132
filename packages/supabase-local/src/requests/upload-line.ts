/** The client went away, or stopped sending. */
export class LineBroken extends Error {
  override name = 'LineBroken';
}

const PATIENCE_MS = 15_000;
/** ms in all that are waited for pieces: so many, and more with each byte that came; as for who reads (reader-time.ts). */
const GRACE_MS = 60_000;
const BYTES_PER_SECOND = 32 * 1024;

type Patience = {
  /** ms to wait for the next piece, so that a dead line holds nothing. */
  patienceMs?: number;
  graceMs?: number;
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
 * The pieces of a request's body; whoever sends them has a time for each and, with what came, for all.
 *
 * @throws {LineBroken}
 */
export async function* chunksOf(body: ReadableStream<Uint8Array>, patience: Patience = {}): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const read = () =>
    reader.read().catch((error: unknown) => {
      throw new LineBroken('The client went away', { cause: error });
    });
  const { patienceMs = PATIENCE_MS, graceMs = GRACE_MS, letGo } = patience;
  let [bytes, waitedMs] = [0, 0];
  const next = async () => {
    const begun = performance.now();
    const leftMs = Math.max(0, graceMs + (bytes / BYTES_PER_SECOND) * 1000 - waitedMs);
    const piece = await orLate(read(), { patienceMs: Math.min(patienceMs, leftMs), ...(letGo && { letGo }) });
    waitedMs += performance.now() - begun;
    bytes += piece.value?.byteLength ?? 0;
    return piece;
  };
  try {
    for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
  } finally {
    // A line that is broken already cannot be told so.
    await reader.cancel().catch(() => undefined);
  }
}
