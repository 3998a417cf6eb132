import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { asRead, unfilled } from '@cairn/core/policies/policy-variables.ts';
import { quizText } from '@cairn/core/policies/quiz.ts';
import type { Row } from '@cairn/schema';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let policies: PolicyFixture;
beforeAll(() => {
  policies = new PolicyFixture(db, world);
});
beforeEach(() => db.asAdmin('delete from policy_variables where organization_id = $1', [world.organization]));

const push = async (person: string, patch: Record<string, unknown>, id: string = randomUUID()) =>
  (
    await testDevice(db, person).push({
      t: 'policy_variables',
      op: 'insert',
      id,
      patch: { organization_id: world.organization, ...patch },
    })
  )[0];
/** Says what a name stands for, as its author's device does. */
async function set(key: string, value: string): Promise<void> {
  const [row] = await db.asAdmin(
    'select id, value, version from policy_variables where organization_id = $1 and key = $2 and deleted_at is null',
    [world.organization, key],
  );
  const of = { t: 'policy_variables', op: 'update', id: String(row?.['id']), bv: Number(row?.['version']) } as const;
  const change = { ...of, patch: { value }, base: { value: row?.['value'] } };
  const result = row
    ? (await testDevice(db, world.manager).push(change))[0]
    : await push(world.manager, { key, value });
  expect(result).toMatchObject({ st: 'applied' });
}
const versionOf = async (id: string) =>
  (await db.asAdmin('select * from policy_versions where id = $1', [id]))[0] as unknown as Row<'policy_versions'>;
const lacks = { code: '23514', hint: 'variables' };

describe('a variable', () => {
  test('is set by authors of its organisation, once a name, with a value that is plain words', async () => {
    expect(await push(world.worker, { key: 'hotline', value: '1' })).toMatchObject({ st: 'rejected' });
    expect(await push(world.stranger, { key: 'hotline', value: '1' })).toMatchObject({ st: 'rejected' });
    expect(await push(world.manager, { key: 'hotline', value: '555 0100' })).toMatchObject({ st: 'applied' });
    expect(await push(world.manager, { key: 'hotline', value: '2' })).toMatchObject({ st: 'rejected', code: '23505' });
    for (const key of ['Hotline', '1st', 'a b', '', 'a'.repeat(61)])
      expect(await push(world.manager, { key, value: 'x' })).toMatchObject({ st: 'rejected' });
    for (const value of ['{{b}}', '<b>', 'a\nb', '<img src=x>', 'javascript:alert(1)', 'x'.repeat(201)])
      expect(await push(world.manager, { key: 'other', value })).toMatchObject({ st: 'rejected' });
    const [row] = await db.asAdmin(`select id, version from policy_variables where key = 'hotline'`);
    const of = { t: 'policy_variables', op: 'update', id: String(row?.['id']), bv: Number(row?.['version']) } as const;
    const device = testDevice(db, world.manager);
    expect(await device.push({ ...of, patch: { key: 'line' }, base: { key: 'hotline' } })).toMatchObject([
      { st: 'rejected', code: '42501' },
    ]);
    // What was removed may be set anew.
    expect(await device.push({ t: 'policy_variables', op: 'delete', id: of.id, bv: of.bv })).toMatchObject([
      { st: 'applied' },
    ]);
    expect(await push(world.manager, { key: 'hotline', value: '2' })).toMatchObject({ st: 'applied' });
    const acts = await db.asAdmin(
      `select act from audit_entries where act like 'policy.variable%' and subject_id = $1 order by seq`,
      [of.id],
    );
    expect(acts.map(({ act }) => act)).toEqual(['policy.variable_set', 'policy.variable_removed']);
  });
});

describe('a text that names variables', () => {
  test('is filled in when it is published: title, words and quiz; its hash is of what is read, and the next version begins with the names', async () => {
    await set('hotline', '555 "0100"');
    const question = { type: 'true_false', choices: [], right: ['true'], explanation: '', section: '' } as const;
    const quiz = quizText([{ ...question, id: 'q1', text: 'Call {{hotline}}?' }]);
    const { policy, version } = await policies.draft('{{organisation}} calls', 'Call {{hotline}}, {{hotline}}.', {
      quiz,
    });
    await policies.publish(version);
    const [organization] = await db.asAdmin('select name from organizations where id = $1', [world.organization]);
    const kept = await versionOf(version);
    expect(kept).toMatchObject({
      title: `${String(organization?.['name'])} calls`,
      body: 'Call 555 "0100", 555 "0100".',
      quiz: quiz?.replace('{{hotline}}', String.raw`555 \"0100\"`),
      template: { title: '{{organisation}} calls', body: 'Call {{hotline}}, {{hotline}}.', quiz },
      variables: { hotline: '555 "0100"' },
    });
    expect(kept.content_hash).toBe(policyHash(kept));
    const [named] = await db.asAdmin('select title from policies where id = $1', [policy]);
    expect(named?.['title']).toBe(kept.title);
    // What is said later changes nothing of it.
    await set('hotline', '999');
    expect(await versionOf(version)).toMatchObject({ body: kept.body, content_hash: kept.content_hash });
    expect(await policies.acknowledge(version, world.worker)).toMatchObject({ st: 'applied' });
    const next = await policies.next(policy, 'major', String(Object(kept.template)['body']));
    await policies.publish(next);
    expect(await versionOf(next)).toMatchObject({ body: 'Call 999, 999.' });
  });

  test('is not sent for approval while a name in it is unknown or has no value', async () => {
    await set('empty', '  ');
    for (const body of [
      'Call {{nobody}}.',
      'Call {{empty}}.',
      'Call {{ hotline }}.',
      'Call {{Hotline}}.',
      'Call {{}}.',
    ]) {
      const { version } = await policies.draft('Lacking', body);
      await expect(policies.submit(version)).rejects.toMatchObject(lacks);
    }
    const { version } = await policies.draft('Of {{nobody}}');
    await expect(policies.submit(version)).rejects.toMatchObject(lacks);
    await set('empty', '1');
    const { version: now } = await policies.draft('Known', 'Call {{empty}}. {one} { {two} } {{\n}}');
    await expect(policies.publish(now)).resolves.toBeDefined();
    expect(await versionOf(now)).toMatchObject({ body: 'Call 1. {one} { {two} } {{\n}}' });
  });

  test('is published with what was approved, whatever was set meanwhile; sent again, it takes what stands then', async () => {
    await set('limit', '2 m');
    const { version } = await policies.draft('Limits', 'At most {{limit}}.');
    await policies.approve(version);
    await set('limit', '20 m');
    expect(asRead(await versionOf(version), { limit: '20 m' }).body).toBe('At most 2 m.');
    await db.rpc(world.manager, 'reopen_policy_version', { p_version: version });
    expect(await versionOf(version)).toMatchObject({ variables: null, body: 'At most {{limit}}.' });
    await policies.approve(version);
    await set('limit', '200 m');
    await db.rpc(world.manager, 'publish_policy_version', { p_version: version });
    expect(await versionOf(version)).toMatchObject({ body: 'At most 20 m.' });
    // Nobody's device says what was approved, nor what it was written in.
    const forged = { variables: { limit: '1 km' }, template: { body: 'x' } };
    const { version: draft } = await policies.draft('Forged', 'At most {{limit}}.', forged);
    expect(await versionOf(draft)).toMatchObject({ variables: null, template: null });
  });

  test('without one it is published as it was; too long with its words filled in, it is refused', async () => {
    const { version } = await policies.inForce('Plain');
    expect(await versionOf(version)).toMatchObject({ body: 'Words of Plain', template: null, variables: null });
    await set('long', 'x'.repeat(200));
    const { version: long } = await policies.draft('Long {{long}}');
    await expect(policies.submit(long)).rejects.toMatchObject({ code: '23514', hint: 'too_long' });
  });

  test('the device finds the same names lacking, and fills in the same', async () => {
    const part = fc.constantFrom(
      '{{a}}',
      '{{b}}',
      '{{',
      '}}',
      '{',
      '}',
      '\n',
      '{{ a }}',
      '{{A}}',
      '{{a}',
      'word',
      '$&',
      '"',
    );
    const texts = fc.array(part, { maxLength: 8 }).map(parts => parts.join(' ').replaceAll(' ', ''));
    const values = fc.record(
      { a: fc.constantFrom('$1 "x"', '\\1'), b: fc.constantFrom('b', 'B B') },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(texts, values, async (text, known) => {
        const [row] = await db.asAdmin(
          `select policy.variables_in($1) as names, marketplace.with_values_filled($1, $2::text::jsonb) as filled`,
          [text, JSON.stringify(known)],
        );
        const names = Object.values<string>(Object(row?.['names']));
        const lacking = names.filter(name => !Object.hasOwn(known, name));
        const here = unfilled({ title: '', body: text }, known).map(({ name }) => name);
        expect(new Set(here)).toEqual(new Set(lacking));
        if (lacking.length > 0) return;
        const draft = { title: '', body: text, quiz: null, state: 'draft', major: null };
        expect(asRead(draft as Row<'policy_versions'>, known).body).toBe(row?.['filled']);
      }),
      { numRuns: 200 },
    );
  });
});
