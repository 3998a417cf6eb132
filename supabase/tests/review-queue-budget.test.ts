import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { mutation } from './device.ts';
import { place } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** A review queue that somebody filled with large pieces can still be read, decided over, and takes no more of them. */
setUpWorld();
let leaver: string;
beforeEach(async () => {
  leaver = await db.person(`${randomUUID()}@a.test`);
  const here = [world.organization, leaver];
  await db.asAdmin(
    'insert into organization_members (organization_id, user_id, deleted_at) values ($1, $2, now())',
    here,
  );
  await db.asAdmin('insert into site_members (organization_id, user_id, site_id) values ($1, $2, $3)', [
    ...here,
    world.north,
  ]);
});

const MB = 1024 * 1024;
const task = (title: string) => mutation({ t: 'action_items', op: 'insert', patch: { ...place(), title } });
type OrphanedEdit = ReturnType<typeof task>;

/** As `submit_orphaned_edits` lays it there; `filler` stands in for words nobody reads here. */
async function lies(edit: OrphanedEdit, bytes: number): Promise<void> {
  await db.asAdmin(
    `insert into sync.orphaned_edit (user_id, mid, organization_id, body)
       values ($1, $2, $3, $4::jsonb || jsonb_build_object('filler', repeat('x', $5::integer)))`,
    [leaver, edit.mid, world.organization, edit, bytes],
  );
}

async function waiting(): Promise<string[][]> {
  const pages: string[][] = [];
  let after = 0;
  for (;;) {
    const page = await db.rpc<{ n: number; mutation: OrphanedEdit; user_id: string }[]>(world.admin, 'orphaned_edits', {
      p_organization: world.organization,
      p_after: after,
    });
    if (page.length === 0) return pages;
    after = page.at(-1)?.n ?? 0;
    pages.push(page.filter(({ user_id: author }) => author === leaver).map(({ mutation: { mid } }) => mid));
  }
}

const decide = async (edits: OrphanedEdit[]) => {
  const answer = await db.rpc<{ results: { mid: string; st: string }[] }>(world.admin, 'decide_orphaned_edits', {
    p_organization: world.organization,
    p_user: leaver,
    p_mids: edits.map(({ mid }) => mid),
    p_accept: true,
  });
  return answer.results;
};

test('it is read in pages that end, in order, the last edit whatever its size', async () => {
  const edits = Array.from({ length: 6 }, (_, at) => task(`Large ${at}`));
  for (const edit of edits) await lies(edit, 1.5 * MB);
  const pages = await waiting();
  expect(pages.map(page => page.length)).toEqual([3, 3]);
  expect(pages.flat()).toEqual(edits.map(({ mid }) => mid));
});

test('as much is accepted at once as a push carries, and the rest stays for the next time', async () => {
  const edits = Array.from({ length: 6 }, (_, at) => task(`Heavy ${at}`));
  for (const edit of edits) await lies(edit, 3 * MB);
  const first = await decide(edits);
  expect(first.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied']);
  const second = await decide(edits.slice(3));
  expect(second.map(({ mid }) => mid)).toEqual(edits.slice(3).map(({ mid }) => mid));
  expect((await waiting()).flat()).toEqual([]);
});

test('one author has 64 MB of it', async () => {
  const submit = (title: string) =>
    db.rpc(leaver, 'submit_orphaned_edits', {
      p_organization: world.organization,
      p_device: randomUUID(),
      p_mutations: JSON.stringify([task(title)]),
    });
  for (let at = 0; at < 16; at += 1) await lies(task(`Full ${at}`), 4 * MB - 1024);
  await expect(submit('Just fits')).resolves.toMatchObject({ accepted: 1 });
  await lies(task('Full'), 17 * 1024);
  await expect(submit('Too much')).rejects.toMatchObject({ code: 'P0001' });
});
