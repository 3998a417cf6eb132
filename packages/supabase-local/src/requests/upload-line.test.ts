import { expect, test } from 'vitest';
import { LineBroken, chunksOf } from './upload-line.ts';

/** A body of pieces that come one after the other, each after so many ms. */
function slow(pieces: number, bytes: number, everyMs: number): ReadableStream<Uint8Array> {
  let sent = 0;
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    pull: controller =>
      new Promise(resolve => {
        setTimeout(() => {
          sent += 1;
          if (isOver) return resolve();
          if (sent > pieces) controller.close();
          else controller.enqueue(new Uint8Array(bytes));
          return resolve();
        }, everyMs);
      }),
    cancel: () => void (isOver = true),
  });
}

const taken = async (body: ReadableStream<Uint8Array>, graceMs: number): Promise<number> => {
  let bytes = 0;
  for await (const piece of chunksOf(body, { patienceMs: 5000, graceMs })) bytes += piece.byteLength;
  return bytes;
};

test('who sends a byte now and then is let go of once their time is over; who sends enough is not', async () => {
  await expect(taken(slow(1000, 1, 20), 200)).rejects.toThrow(LineBroken);
  expect(await taken(slow(30, 64 * 1024, 20), 200)).toBe(30 * 64 * 1024);
});

test('a short body has the time there is for any', async () => {
  expect(await taken(slow(3, 10, 20), 5000)).toBe(30);
});
