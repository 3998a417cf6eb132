import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageHead } from './backend.ts';
import { pageText } from './page-line.ts';

/** A page as the server writes it: the head first, and letters of several bytes in its rows. */
const scopes: PageHead['scopes'] = { 'user:a': ['e', 41, 'action_items', 'id'], 'site:b': ['e', 7, '~', 'id'] };
const written = (more: boolean) =>
  `{"scopes" : ${JSON.stringify(scopes)}, "more" : ${more}, "order" : ["user:a"], "rows" : {"t": ["Prüfung – Größe 🧯"]}}`;

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** An answer whose body comes in these parts; after the last it ends, or breaks. */
function answerIn(parts: readonly Uint8Array[], breaks = false): Response {
  const left = [...parts];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = left.shift();
      if (part) controller.enqueue(part);
      else if (breaks) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  return new Response(body);
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [0, ...places.map(place => place % bytes.length).toSorted((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, n) => bytes.slice(at[n], end));
}

/** Reads an answer and says what was heard meanwhile. */
async function heard(answer: Response) {
  const heads: PageHead[] = [];
  let moves = 0;
  const text = await pageText(answer, { onHead: head => heads.push(head), onMoved: () => (moves += 1) }).catch(
    (error: unknown) => String(error),
  );
  return { text, heads, moves };
}

test('however a page is cut on its way, its head is told once and its text is whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(fc.nat(), { maxLength: 12 }), async (more, places) => {
      const parts = cut(bytesOf(written(more)), places);
      expect(await heard(answerIn(parts))).toEqual({
        text: written(more),
        heads: [{ scopes, more }],
        moves: parts.length,
      });
    }),
  );
});

test('a page that breaks off behind its head has told it, and fails', async () => {
  const beginning = bytesOf(written(true).slice(0, -20));
  expect(await heard(answerIn([beginning], true))).toEqual({
    text: 'TypeError: terminated',
    heads: [{ scopes, more: true }],
    moves: 1,
  });
});

test.each([
  [
    'of an older server, which says more at its end',
    `{"scopes" : ${JSON.stringify(scopes)}, "order" : [], "more" : true}`,
  ],
  ['whose cursors are no JSON', '{"scopes" : {"user:a": [e}, "more" : true}'],
  ['of somebody else', '<html><body>{"scopes" : {}, "more" : true}</body></html>'],
  ['with cursors of more scopes than are looked through', `{"scopes" : {"${'s'.repeat(70_000)}": []}, "more" : true}`],
])('a page %s is read whole, without a head', async (_, text) => {
  const bytes = bytesOf(text);
  expect(await heard(answerIn([bytes.slice(0, -1), bytes.slice(-1)]))).toMatchObject({ text, heads: [] });
});

test('an answer without a body is empty', async () => {
  expect(await heard(new Response(null))).toEqual({ text: '', heads: [], moves: 0 });
});
