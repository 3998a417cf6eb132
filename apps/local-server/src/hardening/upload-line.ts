/** The client went away, or stopped sending. */
export class LineBroken extends Error {
  override name = 'LineBroken';
}

const PATIENCE_MS = 15_000;

function orLate<T>(coming: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LineBroken('Nothing came for too long')), patienceMs);
  });
  return Promise.race([coming, late]).finally(() => clearTimeout(timer));
}

/**
 * The pieces of a request's body.
 *
 * @param patienceMs how long to wait for the next piece, so that a dead line holds nothing
 * @throws {LineBroken}
 */
export async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  patienceMs = PATIENCE_MS,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const read = () =>
    reader.read().catch((error: unknown) => {
      throw new LineBroken('The client went away', { cause: error });
    });
  try {
    for (let next = await orLate(read(), patienceMs); !next.done; next = await orLate(read(), patienceMs))
      yield next.value;
  } finally {
    // A line that is broken already cannot be told so.
    await reader.cancel().catch(() => undefined);
  }
}
