import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';
import { draftId } from '@cairn/core/forms/draft/form-draft.ts';
import { expectUndisturbed, serveApart, type SeparateServer, whileAttacked } from './bystander.ts';
import { type Edit, mutation } from './device.ts';
import { company } from './load.ts';

/** Whoever may write policies, forms and packs sends what is past the bounds, again and again; somebody else goes on working. */
let server: SeparateServer;
let author: { token: string; organization: string };

beforeAll(async () => {
  server = await serveApart();
  const { id, token } = await server.signUp('author@apart.test');
  const { organization } = await company(server.db, 'authors');
  await server.db.asAdmin(
    "insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')",
    [organization, id],
  );
  author = { token, organization };
});
afterAll(() => server.stop());

async function push(...edits: Edit[]): Promise<{ st: string; code?: string; msg?: string }[]> {
  const answer = await fetch(`${server.url}/rest/v1/rpc/sync_push`, {
    method: 'POST',
    headers: {
      apikey: server.publishableKey,
      authorization: `Bearer ${author.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ p_device: randomUUID(), p_mutations: edits.map(mutation) }),
  });
  if (!answer.ok) throw new Error(`sync_push: ${answer.status} ${await answer.text()}`);
  const { results } = (await answer.json()) as { results: { st: string; code?: string; msg?: string }[] };
  return results;
}

const MARKS = '*a [b '.repeat(CONTENT_BOUNDS.markdown_characters / 6);
const ROWS = '|-\n'.repeat(6000);

test('while texts and forms past every bound are sent, each is refused by name and another person is answered within a second', async () => {
  const [policy, form] = [randomUUID(), randomUUID()];
  const own = { organization_id: author.organization };
  expect(
    await push(
      { t: 'policies', op: 'insert', id: policy, patch: { ...own, title: 'Entangled' } },
      { t: 'forms', op: 'insert', id: form, patch: { ...own, name: 'Heavy', state: 'draft' } },
    ),
  ).toMatchObject([{ st: 'applied' }, { st: 'applied' }]);
  const item = { type: 'text', name: 'heavy', relevant: '${a}+'.repeat(501) };
  const seen = await whileAttacked(server, async () => {
    for (let turn = 0; turn < 6; turn++) {
      for (const body of [MARKS, ROWS])
        expect(
          await push({
            t: 'policy_versions',
            op: 'insert',
            patch: { ...own, policy_id: policy, title: 'Entangled', body },
          }),
        ).toMatchObject([{ st: 'rejected', code: '23514', msg: 'markdown_work' }]);
      for (const definition of [
        { items: [item] },
        { items: Array.from({ length: 5001 }, (_, at) => ({ ...item, name: `q${at}`, relevant: 'a' })) },
      ])
        expect(
          await push({ t: 'form_drafts', op: 'insert', id: draftId(form), patch: { form_id: form, definition } }),
        ).toMatchObject([{ st: 'rejected', code: '23514' }]);
    }
  });
  expectUndisturbed(seen);
});
