import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';
import { jsonbBytes } from '@cairn/core/forms/definition/form-bounds.ts';
import { draftId } from '@cairn/core/forms/draft/form-draft.ts';
import { markdownFault } from '@cairn/core/markdown/markdown-bounds.ts';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What others read is measured by the server as the devices measure it (packages/base/src/content-bounds.ts). */
setUpWorld();

async function faultOf(text: string): Promise<string | null> {
  const [found] = await db.asAdmin('select content.markdown_fault($1) as fault', [text]);
  return typeof found?.['fault'] === 'string' ? found['fault'] : null;
}
async function boundOf(form: unknown): Promise<Record<string, unknown>> {
  const [found] = await db.asAdmin('select bound, at from content.form_fault($1::jsonb)', [JSON.stringify(form)]);
  if (!found) throw new Error('content.form_fault answered nothing');
  return found;
}

test('devices and server have the same bounds', async () => {
  for (const [name, value] of Object.entries(CONTENT_BOUNDS))
    expect(await db.asAdmin('select content.bound($1)::integer as is', [name])).toEqual([{ is: value }]);
  const [made] = await db.asAdmin("select pg_get_functiondef('content.bound'::regproc) as body");
  const names = [...String(made?.['body']).matchAll(/"(\w+)":/g)].map(([, name]) => name);
  expect(new Set(names)).toEqual(new Set(Object.keys(CONTENT_BOUNDS)));
});

describe('a Markdown text', () => {
  /** Each past one bound, or just within it. */
  const TEXTS = [
    'a\n'.repeat(CONTENT_BOUNDS.markdown_lines),
    `a\n${' '.repeat(100)}b`,
    `a\n${' '.repeat(99)}\tb`,
    `${'> '.repeat(20)}a`,
    `${'> - 1. '.repeat(7)}a`,
    '_'.repeat(200),
    '('.repeat(201),
    `| ${'a |'.repeat(200)}\n`.repeat(120),
    `| a |\n| - |\n${'| **a** _b_ |\n'.repeat(2000)}`,
    `> | a |\n> | - |\n${'> | **a** _b_ |\n'.repeat(2000)}`,
    'a [b '.repeat(1000),
    'a [b '.repeat(4000),
    '- a [b\n'.repeat(4000),
    '2. a [b\r\n'.repeat(2000),
    'a\n'.repeat(4400),
    'a\n'.repeat(4500),
  ];

  test('is judged alike by devices and server at every bound', async () => {
    for (const text of TEXTS)
      expect([text.slice(0, 30), await faultOf(text)]).toEqual([text.slice(0, 30), markdownFault(text)]);
    expect(new Set(TEXTS.map(markdownFault)).size).toBe(7);
  });

  test('and so is any other', async () => {
    const part = fc.constantFrom(
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '2) ',
      '> ',
      '| ',
      '|-',
      '# ',
      '*',
      '[',
      '`',
      '\t',
      '   ',
      'a',
      '\r\n',
      '\r',
      '---',
      '![',
      '_',
    );
    const text = fc
      .array(fc.tuple(part, fc.integer({ min: 1, max: 230 })), { maxLength: 12 })
      .map(parts => parts.map(([each, times]) => each.repeat(times)).join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (each, times) => {
        expect(await faultOf(each.repeat(times))).toBe(markdownFault(each.repeat(times)));
      }),
      { numRuns: 60 },
    );
  });

  test('of the greatest length is measured by the server in good time, whatever it is made of', async () => {
    for (const each of ['- a\n\n', '|', '| a |\n', 'a ', '> a\n\n', '    a\n\n\n', '-', ' ']) {
      const begun = performance.now();
      await faultOf(each.repeat(CONTENT_BOUNDS.markdown_characters / each.length));
      expect(performance.now() - begun).toBeLessThan(20_000);
    }
  });
});

describe('a form', () => {
  const items = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'text', name: `q${at}` }));
  const past = { type: 'text', name: 'heavy', relevant: Array.from({ length: 501 }, () => '${a}').join('+') };

  test('is measured with its expressions, sections and lists, and the question is named', async () => {
    expect(await boundOf({ items: [{ type: 'group', name: 's', items: [past] }] })).toEqual({
      bound: 'form_expression_references',
      at: 's.heavy',
    });
    expect(await boundOf({ items: items(5001) })).toMatchObject({ bound: 'form_items' });
    expect(
      await boundOf({ items: [{ type: 'text', name: 'q', rules: [{ when: `'${'x'.repeat(10_000)}'` }] }] }),
    ).toMatchObject({ bound: 'form_expression_characters' });
    let deep: object = { type: 'text', name: 'leaf' };
    for (let at = 0; at < 40; at++) deep = { type: 'group', name: `g${at}`, items: [deep] };
    expect(await boundOf({ items: [deep] })).toMatchObject({ bound: 'form_nesting' });
    let repeats: object = { type: 'text', name: 'leaf' };
    for (let at = 0; at < 5; at++) repeats = { type: 'repeat', name: `r${at}`, items: [repeats] };
    expect(await boundOf({ items: [repeats] })).toMatchObject({ bound: 'form_repeat_nesting' });
    expect(await boundOf({ items: items(2000), choice_lists: {} })).toEqual({ bound: null, at: '' });
  });

  test('is measured at the cost of its size, and writes nothing to the disk, also where no bound was kept', async () => {
    const wide = { name: 'x'.repeat(20_000), type: 'group', items: Array.from({ length: 2000 }, () => ({})) };
    let deep: object = { name: 'leaf', label: 'x'.repeat(500_000) };
    for (let at = 0; at < 29; at++) deep = { name: 'n'.repeat(200), type: 'group', items: [deep] };
    const many = { name: 'n', type: 'group', items: Array.from({ length: 200_000 }, () => ({})) };
    await db.asAdmin('create table measured (form jsonb)');
    const costs = async (call: string): Promise<[ms: number, written: unknown]> => {
      const [found] = await db.asAdmin(
        `explain (analyze, buffers, timing off, format json) select ${call} from measured`,
      );
      const [explained] = (found?.['QUERY PLAN'] ?? []) as {
        Plan: Record<string, unknown>;
        'Execution Time': number;
      }[];
      return [explained?.['Execution Time'] ?? NaN, explained?.Plan['Temp Written Blocks']];
    };
    const pack = `marketplace.bounds_fault(jsonb_build_object('variables', '[]'::jsonb, 'policies', '[]'::jsonb, 'forms', jsonb_build_array(jsonb_build_object('definition', form))))`;
    for (const items of [[wide], [deep], [many]]) {
      await db.asAdmin('delete from measured');
      await db.asAdmin('insert into measured values ($1::jsonb)', [JSON.stringify({ items })]);
      const [reading] = await costs('length(jsonb_pretty(form))');
      for (const call of ['content.form_fault(form)', pack]) {
        const [ms, written] = await costs(call);
        expect([call, written]).toEqual([call, 0]);
        expect(ms).toBeLessThan(2000 + 60 * reading);
      }
    }
    await db.asAdmin('drop table measured');
    expect(await boundOf({ items: [wide] })).toEqual({ bound: 'form_name_characters', at: 'x'.repeat(200) });
    expect(await boundOf({ items: [deep] })).toEqual({ bound: null, at: '' });
    expect(await boundOf({ items: [many] })).toEqual({ bound: 'form_items', at: 'n' });
  });

  test('has the bytes that devices count', async () => {
    const form = { items: items(3), title: { en: 'a, b: "c"', de: 'ü\n' }, n: 1.5 };
    expect(await db.asAdmin('select octet_length($1::jsonb::text) as bytes', [JSON.stringify(form)])).toEqual([
      { bytes: jsonbBytes(form) },
    ]);
  });

  test.each([
    [
      'larger than the server keeps',
      { items: [{ type: 'note', name: 'n', label: 'x'.repeat(CONTENT_BOUNDS.form_bytes) }] },
      'form_bytes',
    ],
    ['past a bound', { items: [past] }, 'form_expression_references'],
  ])('%s is taken neither as a draft nor as a version, and says why', async (_, definition, bound) => {
    const [form, version] = [randomUUID(), randomUUID()];
    const device = testDevice(db, world.manager);
    const made = { organization_id: world.organization, name: 'Heavy', state: 'draft' };
    const results = await device.push(
      { t: 'forms', op: 'insert', id: form, patch: made },
      { t: 'form_drafts', op: 'insert', id: draftId(form), patch: { form_id: form, definition } },
      { t: 'form_versions', op: 'insert', id: version, patch: { form_id: form, number: 1, definition } },
    );
    expect(results).toMatchObject([
      { st: 'applied' },
      { st: 'rejected', code: '23514', msg: bound },
      { st: 'rejected', code: '23514', msg: bound },
    ]);
  });
});

test('a policy past a bound is refused when it is written, and when an old draft of it is to be read by others', async () => {
  const [policy, version] = [randomUUID(), randomUUID()];
  const nested = `${'> '.repeat(21)}a`;
  await db.asAdmin("insert into policies (id, organization_id, title) values ($1, $2, 'Nested')", [
    policy,
    world.organization,
  ]);
  const write = db.asAdmin(
    "insert into policy_versions (id, organization_id, policy_id, title, body) values ($1, $2, $3, 'Nested', $4)",
    [version, world.organization, policy, nested],
  );
  await expect(write).rejects.toMatchObject({ code: '23514', constraint_name: 'markdown_nesting' });
  // As a build before the bounds wrote it.
  await db.asAdmin('alter table policy_versions disable trigger y_bounds');
  await db.asAdmin(
    "insert into policy_versions (id, organization_id, policy_id, title, body) values ($1, $2, $3, 'Nested', $4)",
    [version, world.organization, policy, nested],
  );
  await db.asAdmin('alter table policy_versions enable trigger y_bounds');
  await db.asAdmin("update policy_versions set changelog = 'Still there' where id = $1", [version]);
  await expect(
    db.asAdmin("update policy_versions set state = 'in_review' where id = $1", [version]),
  ).rejects.toMatchObject({ code: '23514', constraint_name: 'markdown_nesting' });
});

describe('a pack', () => {
  const pack = (body: string, more: object = {}) => ({
    schema: 1,
    variables: [{ key: 'a', label: 'A' }],
    policies: [{ key: 'p', title: 'P', body }],
    forms: [],
    tasks: [],
    ...more,
  });
  const boundsOf = async (contents: object, values: object | null = null) =>
    (
      await db.asAdmin('select marketplace.bounds_fault($1::jsonb, $2::jsonb) as fault', [
        JSON.stringify(contents),
        values && JSON.stringify(values),
      ])
    )[0]?.['fault'];

  test('is measured with its longest words filled in, before anything is', async () => {
    expect(await boundsOf(pack('{{a}} '.repeat(100)))).toBeNull();
    expect(await boundsOf(pack('{{a}} '.repeat(3000)))).toBe('filled');
    expect(await boundsOf(pack('{{a}} '.repeat(16_000), { tasks: [] }))).toBe('filled');
    expect(await boundsOf(pack('{{a}} '.repeat(3000)), { a: 'short' })).toBeNull();
    expect(await boundsOf(pack(`${'> '.repeat(21)}a`))).toBe('too_complex');
    expect(
      await boundsOf(
        pack('a', {
          forms: [
            { key: 'f', name: 'F', definition: { items: [{ type: 'text', name: 'q', relevant: '${a}'.repeat(501) }] } },
          ],
        }),
      ),
    ).toBe('too_complex');
    const grows = {
      key: 'f',
      name: 'F',
      definition: { items: [{ type: 'text', name: 'q', relevant: `'${'{{a}}'.repeat(60)}' = .` }] },
    };
    expect(await boundsOf(pack('a', { forms: [grows] }))).toBe('filled');
  });

  test('nothing is filled in that would be longer than a pack may be', async () => {
    const fill = db.asAdmin(
      "select length(marketplace.with_values_filled(repeat('{{a}}', 20000), jsonb_build_object('a', repeat('x', 200))))",
    );
    await expect(fill).rejects.toMatchObject({ code: '23514' });
  });
});
