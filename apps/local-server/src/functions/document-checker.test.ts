import { setImmediate as nextTurn } from 'node:timers/promises';
import { strToU8 } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { WORD_MIME } from '@cairn/core/media/document-kind.ts';
import { bodyOf, TYPES, word } from '@cairn/core/media/word-files-for-tests.ts';
import { createLog } from '@cairn/supabase-local/log/log.ts';
import { heldTurn } from '@cairn/supabase-local/limits/held-turn.ts';
import { createDocumentChecker, type DocumentChecker } from './document-checker.ts';

const checkers: DocumentChecker[] = [];
afterAll(() => Promise.all(checkers.map(checker => checker.close())));

function checkerOf(...bounds: [{ time: number; heap: number }] | []): DocumentChecker {
  const checker = createDocumentChecker(createLog(), ...bounds);
  checkers.push(checker);
  return checker;
}

const never = new AbortController().signal;
const plain = () => new Uint8Array(word());
/** A valid document that takes a second or more. */
const heavy = () => new Uint8Array(word({}, TYPES, bodyOf(`<w:p>${'<w:r><w:t>x</w:t></w:r>'.repeat(100_000)}</w:p>`)));
const judged = (checker: DocumentChecker, bytes: Uint8Array<ArrayBuffer>) =>
  checker.withSlot('one', never, check => check(bytes, WORD_MIME));

describe('documents are looked at in a thread of their own', () => {
  test('with the same answer as on this one', async () => {
    const checker = checkerOf();
    expect(await judged(checker, plain())).toBeNull();
    expect(await judged(checker, new Uint8Array(word({ 'word/vbaProject.bin': strToU8('x') })))).toBe('macros');
  });

  test('while one is looked at the thread that answers goes on', async () => {
    const checker = checkerOf();
    const bytes = heavy();
    const over = new AbortController();
    let [longest, last] = [0, performance.now()];
    const begun = last;
    const answer = judged(checker, bytes).finally(() => over.abort());
    while (!over.signal.aborted) {
      await nextTurn();
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    expect(await answer).toBeNull();
    // On this thread it would be all of it at once.
    expect(longest).toBeLessThan((last - begun) / 2);
  });

  test('one that takes more time, or more memory, than it may is refused as one that cannot be read, and the next is looked at', async () => {
    expect(await judged(checkerOf({ time: 20, heap: 512 }), heavy())).toBe('damaged');
    const small = checkerOf({ time: 60_000, heap: 24 });
    expect(await judged(small, heavy())).toBe('damaged');
    expect(await judged(small, plain())).toBeNull();
  });

  test('one at once: of one person three more wait, however many organisations they have, and hold no turn of the functions; others wait beside them and come first', async () => {
    const checker = checkerOf();
    const goOn = Promise.withResolvers<void>();
    const begun: string[] = [];
    let released = 0;
    const ask = (person: string, organization: string) =>
      heldTurn.run({ asker: { person, network: 'site' }, release: () => void (released += 1) }, () =>
        checker.withSlot(organization, never, async () => {
          begun.push(person);
          await goOn.promise;
          await nextTurn();
          return person;
        }),
      );
    const eve = ['one', 'two', 'three', 'four'].map(organization => ask('eve', organization));
    expect(await ask('eve', 'five')).toBe('busy');
    const others = ['sam', 'kim', 'lee'].map(person => ask(person, 'six'));
    expect([begun, released]).toEqual([['eve'], 8]);
    goOn.resolve();
    await Promise.all([...eve, ...others]);
    expect(begun).toEqual(['eve', 'sam', 'kim', 'lee', 'eve', 'eve', 'eve']);
  });
});
