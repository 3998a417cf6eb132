import { expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import {
  addVariable,
  asRead,
  asWritten,
  knownVariables,
  removeVariable,
  setVariable,
  unfilled,
} from './policy-variables.ts';
import { beginNextVersion } from './write-policy.ts';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const POLICY = '00000000-0000-4000-8000-0000000000b1';
const ONE = '00000000-0000-4000-8000-0000000000c1';
const HOTLINE = '00000000-0000-4000-8000-0000000000d1';

const written = { title: 'Calls', body: 'Call {{hotline}}.', quiz: null };
const here = (name = 'Northfield') =>
  memoryStore(
    {
      organizations: [{ id: ORG, name, kind: 'company' }],
      policies: [{ id: POLICY, organization_id: ORG, title: 'Calls', state: 'published', current_version_id: ONE }],
      policy_versions: [
        {
          id: ONE,
          organization_id: ORG,
          policy_id: POLICY,
          state: 'published',
          major: 1,
          minor: 0,
          title: 'Calls',
          body: 'Call 555.',
          template: written,
        },
      ],
    },
    ME,
  );
const hotline = { id: HOTLINE, organizationId: ORG, key: 'hotline', value: ' 555 ' };
const known = (store: ReturnType<typeof here>) => store.read(knownVariables(ORG));

test('a variable is added, set and removed; one without a value stands for nothing', async () => {
  const store = here();
  await store.write('t', tx => addVariable(tx, hotline));
  expect((await known(store)).values).toEqual({ organisation: 'Northfield', hotline: '555' });
  await store.write('t', tx => setVariable(tx, HOTLINE, ' '));
  expect((await known(store)).values).toEqual({ organisation: 'Northfield' });
  expect((await known(store)).variables).toMatchObject([{ key: 'hotline', value: '' }]);
  await store.write('t', tx => removeVariable(tx, HOTLINE));
  expect((await known(store)).variables).toEqual([]);
});

test('a name that is none or there already, and a value that is more than words, are refused', async () => {
  const store = here('<b>Bold</b>');
  await store.write('t', tx => addVariable(tx, hotline));
  for (const bad of [
    {},
    { key: 'Hotline' },
    { key: '' },
    { key: 'line', value: '{{x}}' },
    { key: 'line', value: '<b>' },
  ])
    await expect(store.write('t', tx => addVariable(tx, { ...hotline, id: ME, ...bad }))).rejects.toMatchObject({
      code: 'invalid',
    });
  await expect(store.write('t', tx => setVariable(tx, HOTLINE, 'a\nb'))).rejects.toMatchObject({ code: 'invalid' });
  // Nor is the name of an organisation taken for words that it is not.
  expect((await known(store)).values).toEqual({ hotline: '555' });
});

test('what stands for nothing is told with its line, in the title and in the quiz too', () => {
  const words = { title: 'Of {{x}}', body: 'a\n{{hotline}} {{y}}\n\n{{z}}', quiz: '[{"text":"{{q}}"}]' };
  expect(unfilled(words, { hotline: '1' })).toEqual([
    { name: 'x', where: 'title', line: null },
    { name: 'y', where: 'body', line: 2 },
    { name: 'z', where: 'body', line: 4 },
    { name: 'q', where: 'quiz', line: null },
  ]);
});

test('a draft is read with the values of now, what was sent for approval with its own, and what was published as it stands', () => {
  const draft = { ...written, major: null, state: 'draft', variables: null } as Row<'policy_versions'>;
  const now = { hotline: '999' };
  expect(asRead(draft, now).body).toBe('Call 999.');
  expect(asRead({ ...draft, state: 'in_review', variables: { hotline: '555' } }, now).body).toBe('Call 555.');
  expect(asRead({ ...draft, state: 'published', major: 1 }, now).body).toBe('Call {{hotline}}.');
  const asked = { ...draft, quiz: '["{{hotline}}"]' };
  expect(JSON.parse(asRead(asked, { hotline: 'a "b"' }).quiz ?? '')).toEqual(['a "b"']);
});

test('the next version begins with the names, not with what they stood for', async () => {
  const store = here();
  const id = await store.write('t', tx => beginNextVersion(tx, POLICY));
  const next = await store.read({ key: 'n', tables: ['policy_versions'], read: tx => tx.get('policy_versions', id) });
  expect(next).toMatchObject(written);
  expect(next && asWritten(next)).toEqual({ ...written, file: null });
});
