import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { follow } from './follow.ts';
import { mentionedIn, nameBeingTyped, textParts, withName } from './mentions.ts';
import { cameLater, thread } from './queries.ts';
import { changeComment, COMMENT_LENGTH, removeComment, resolveComment, writeComment } from './write-comment.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [org, me, mara, task] = [uuid(1), uuid(2), uuid(3), uuid(10)];
const at = '2026-11-21T09:00:00.000Z';
const subject = { table: 'tasks', id: task } as const;
let store: Store;

beforeEach(() => {
  store = memoryStore(
    {
      tasks: [{ id: task, organization_id: org, title: 'Call', created_by: mara }],
      people: [
        { id: me, display_name: 'Sam' },
        { id: mara, display_name: 'Mara Voss' },
      ],
      organization_members: [
        { id: uuid(20), organization_id: org, user_id: me, role: 'member', joined_at: at },
        { id: uuid(21), organization_id: org, user_id: mara, role: 'member', joined_at: at },
      ],
    },
    me,
  );
});

const say = (n: number, body: string, more: object = {}) =>
  store.write('t', tx => writeComment(tx, { id: uuid(n), subject, body, by: me, at, ...more }));
const read = () => store.read(thread(subject, org, me));

describe('what is said at a record', () => {
  test('stands in the order it was written, with its files, on this device at once', async () => {
    const bytes = new Uint8Array([1, 2, 3]).buffer;
    const file = { id: uuid(60), bytes, mime: 'image/png', sha256: 'a'.repeat(64), width: 1, height: 1 };
    await say(50, ' Later ', { at: '2026-11-21T10:00:00.000Z' });
    await say(51, 'First', { files: [file], mentionIds: [mara, mara] });
    expect((await read()).comments).toMatchObject([
      { body: 'First', media_ids: [file.id], mention_ids: [mara], author_id: me, organization_id: org },
      { body: 'Later' },
    ]);
    const kept = await store.read({ key: 'f', tables: ['media'], read: tx => tx.bytes(file.id) });
    expect(kept && new Uint8Array(kept)).toEqual(new Uint8Array([1, 2, 3]));
  });

  test.each(['', '   ', 'x'.repeat(COMMENT_LENGTH + 1)])('refuses what nobody can read (%#)', async body => {
    await expect(say(50, body)).rejects.toMatchObject({ code: 'invalid' });
    await say(51, 'Something');
    const change = store.write('t', tx => changeComment(tx, { id: uuid(51), body, mentionIds: [] }));
    await expect(change).rejects.toMatchObject({ code: 'invalid' });
  });

  test('needs a record that is there, and files the server takes', async () => {
    await expect(say(50, 'x', { subject: { table: 'tasks', id: uuid(99) } })).rejects.toMatchObject({
      code: 'not_found',
    });
    const empty = { id: uuid(60), bytes: new ArrayBuffer(0), mime: 'a/b', sha256: '', width: null, height: null };
    await expect(say(50, 'x', { files: [empty] })).rejects.toMatchObject({ code: 'invalid' });
  });

  test('is ticked off and opened again, changed and taken back', async () => {
    await say(50, 'Hello');
    await store.write('t', tx => resolveComment(tx, { id: uuid(50), by: mara, at }));
    expect((await read()).comments).toMatchObject([{ resolved_by: mara, resolved_at: at }]);
    await store.write('t', tx => resolveComment(tx, { id: uuid(50), by: mara, at: null }));
    await store.write('t', tx => changeComment(tx, { id: uuid(50), body: 'Good day', mentionIds: [] }));
    expect((await read()).comments).toMatchObject([{ resolved_by: null, body: 'Good day' }]);
    await store.write('t', tx => removeComment(tx, uuid(50)));
    expect((await read()).comments).toEqual([]);
  });

  test('who stands on it, spoke or was named hears of it, until they say otherwise', async () => {
    expect((await read()).follows).toBe(false);
    expect((await store.read(thread(subject, org, mara))).follows).toBe(true);
    await say(50, 'Hello');
    expect((await read()).follows).toBe(true);
    const wish = (isFollowing: boolean) => store.write('t', tx => follow(tx, { subject, userId: me, isFollowing }));
    await wish(false);
    expect((await read()).follows).toBe(false);
    await wish(true);
    expect((await read()).follows).toBe(true);
  });

  test('came later when it arrived more than five minutes after it was written', async () => {
    await say(50, 'Hello');
    const [comment] = (await read()).comments;
    if (!comment) throw new Error('no comment');
    const arrived = (time: string) => cameLater({ ...comment, created_at: `2026-11-21T${time}Z` });
    expect([arrived('09:05:00.000'), arrived('09:05:00.001')]).toEqual([false, true]);
  });
});

describe('names in a text', () => {
  const people = [
    { id: 'a', name: 'Ann' },
    { id: 'b', name: 'Ann Lee' },
    { id: 'c', name: 'Jörg' },
    { id: 'd', name: 'Jörg' },
  ];
  test.each([
    ['@Ann please', ['a']],
    ['@Ann Lee please', ['b']],
    ['(@jörg, @ANN)', ['c', 'a']],
    ['Annette @Annette', []],
    ['mail ann@ann.test', []],
    ['no sign', []],
    ['@Ann @Ann', ['a']],
  ])('%s', (text, ids) => expect(mentionedIn(text, people)).toEqual(ids));

  test('of two people of one name the one who was picked', () => {
    expect(mentionedIn('@Jörg', people, ['d'])).toEqual(['d']);
  });

  test('what is typed after the sign up to the cursor is offered and written out', () => {
    expect(nameBeingTyped('Hi @An', 6)).toBe('An');
    expect(nameBeingTyped('Hi ann@an', 9)).toBeNull();
    expect(nameBeingTyped('Hi @An\nx', 8)).toBeNull();
    expect(withName('Hi @An, look', 6, 'Ann Lee')).toBe('Hi @Ann Lee, look');
  });

  test('names are told apart from the rest, and all words stay', () => {
    const parts = textParts('@Ann Lee and @Ann!', ['Ann', 'Ann Lee']);
    expect(parts.map(({ text }) => text).join('')).toBe('@Ann Lee and @Ann!');
    expect(parts.filter(({ isName }) => isName).map(({ text }) => text)).toEqual(['@Ann Lee', '@Ann']);
    expect(textParts('plain', [])).toEqual([{ text: 'plain', isName: false }]);
  });
});
