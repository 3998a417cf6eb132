import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { openedControl, openedFramework } from '../evidence/coverage.ts';
import { readCatalogue, type Catalogue } from './oscal-catalogue.ts';
import {
  controlId,
  linkControl,
  linkNamedControls,
  removeFramework,
  takeFramework,
  unlinkControl,
} from './take-framework.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [id, organizationId, policy, evidence] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const [me, today] = [uuid(5), '2026-11-21'];

const SMALL = {
  catalog: {
    uuid: 'c',
    metadata: { title: 'Small', version: '1.2' },
    groups: [
      {
        title: 'Access',
        controls: [
          {
            id: 'ac-1',
            title: 'Locks',
            params: [
              { id: 'p1', label: 'how often' },
              { id: 'p2', select: { choice: ['day', '{{ insert: param, p1 }}'] } },
            ],
            props: [
              { name: 'label', value: 'AC-01', class: 'padded' },
              { name: 'label', value: 'AC-1' },
            ],
            parts: [
              {
                name: 'statement',
                prose: 'Lock up {{ insert: param, p2 }}:',
                parts: [{ name: 'item', props: [{ name: 'label', value: 'a.' }], prose: 'the door' }],
              },
              { name: 'guidance', prose: 'Not asked for' },
            ],
            controls: [{ id: 'ac-1.1', title: 'Keys' }],
          },
          { id: 'ac-9', title: 'Gone', props: [{ name: 'status', value: 'withdrawn' }] },
        ],
      },
    ],
  },
};

const small = (): Catalogue => {
  const read = readCatalogue(JSON.stringify(SMALL));
  if (!read.ok) throw new Error(read.problem);
  return read.catalogue;
};

describe('an OSCAL catalogue', () => {
  test('is read with labels, parameters in their places, enhancements, and without what was withdrawn', () => {
    expect(small()).toMatchObject({
      title: 'Small',
      edition: '1.2',
      families: 1,
      controls: [
        { code: 'ac-1', label: 'AC-1', title: 'Locks', family: 'Access' },
        { code: 'ac-1.1', label: 'AC-1.1', title: 'Keys' },
      ],
    });
    expect(small().controls[0]?.statement).toBe('Lock up [day / [how often]]:\na. the door');
  });

  const again = { id: 'x-1', title: 'X' };
  test.each([
    ['not_json', '{'],
    ['not_oscal', '[]'],
    ['not_oscal', '{"tasks":{}}'],
    ['other_oscal', '{"component-definition":{}}'],
    ['profile', '{"profile":{"imports":[]}}'],
    ['empty', '{"catalog":{"groups":[{"controls":[{"id":"../x","title":"X"}]}]}}'],
    ['twice', JSON.stringify({ catalog: { controls: [again, again] } })],
    [
      'too_many',
      JSON.stringify({ catalog: { controls: Array.from({ length: 5001 }, (_, n) => ({ id: `x-${n}`, title: 'X' })) } }),
    ],
  ])('that is none is refused: %s', (problem, json) => {
    expect(readCatalogue(json)).toEqual({ ok: false, problem });
  });

  test('with an old insertion, a parameter of another control and an id that begins with _ is read whole', () => {
    const first = { id: '_5.1', title: 'A', params: [{ id: 'often', label: 'how often' }] };
    const prose = 'Look {{ often }} and {{ insert: param, often }}.';
    const second = { id: '_5.10', title: 'B', parts: [{ name: 'statement', prose }] };
    const read = readCatalogue(JSON.stringify({ catalog: { controls: [first, second] } }));
    expect(read).toMatchObject({
      ok: true,
      catalogue: { controls: [{ code: '5.1' }, { code: '5.10', statement: 'Look [how often] and [how often].' }] },
    });
  });

  test.each([
    ['no title', { id: 'ac-2' }],
    ['an id we cannot keep', { id: 'maßnahme-1', title: 'M' }],
  ])('loses no control without a word: %s', (_, control) => {
    const json = JSON.stringify({ catalog: { controls: [{ id: 'ac-1', title: 'A' }, control] } });
    expect(readCatalogue(json)).toEqual({ ok: false, problem: 'lost_control' });
  });

  test.each([
    ['no_json_oscal', 'c.xml', '<catalog xmlns="http://csrc.nist.gov/ns/oscal/1.0" uuid="x"><metadata/></catalog>'],
    ['no_json_oscal', 'c.yaml', '---\ncatalog:\n  uuid: x\n  metadata:\n    title: T\n'],
    ['is_document', 'c.pdf', '%PDF-1.7\n'],
    ['is_document', 'c.docx', 'PK\u0003\u0004'],
    ['is_form', 'c.xlsx', 'PK\u0003\u0004'],
    ['not_json', 'c.zip', 'PK\u0003\u0004'],
    ['not_json', 'c.yaml', 'title: T\n'],
  ])('says what a file is instead: %s for %s', (problem, name, text) => {
    expect(readCatalogue(text, name)).toEqual({ ok: false, problem });
  });

  test('leaves out what was withdrawn, in whatever letters', () => {
    const gone = { id: 'ac-2', title: 'B', props: [{ name: 'status', value: 'Withdrawn' }] };
    const read = readCatalogue(JSON.stringify({ catalog: { controls: [{ id: 'ac-1', title: 'A' }, gone] } }));
    expect(read).toMatchObject({ ok: true, catalogue: { controls: [{ code: 'ac-1' }] } });
  });

  test('may begin with a byte order mark', () => {
    expect(readCatalogue(`\uFEFF${JSON.stringify(SMALL)}`).ok).toBe(true);
  });

  test('whose groups are nested without end is no catalogue, and ends', () => {
    let json = '{"controls":[{"id":"x-1","title":"X"}]}';
    for (let depth = 0; depth < 5000; depth += 1) json = `{"groups":[${json}]}`;
    expect(readCatalogue(`{"catalog":${json}}`)).toEqual({ ok: false, problem: 'empty' });
  });

  const file = fileURLToPath(
    new URL(
      '../../../../../shared/data/oscal/NIST_SP-800-53_rev5_LOW-baseline-resolved-profile_catalog-min.json',
      import.meta.url,
    ),
  );
  test.runIf(existsSync(file))(
    'the 800-53 LOW baseline has 149 controls in 18 families, and no open place in a statement',
    () => {
      const read = readCatalogue(readFileSync(file, 'utf8'));
      expect(read).toMatchObject({ ok: true, catalogue: { families: 18, edition: '5.1.1+u4' } });
      const controls = read.ok ? read.catalogue.controls : [];
      expect(controls).toHaveLength(149);
      expect(controls[0]).toMatchObject({ code: 'ac-1', label: 'AC-1', family: 'Access Control' });
      expect(controls.filter(({ statement }) => statement === '' || statement.includes('{{'))).toEqual([]);
    },
  );
});

describe('a framework', () => {
  let store: Store;
  beforeEach(async () => {
    const here = { organization_id: organizationId };
    const proof = { title: 'Round', series_id: evidence, collected_at: '2026-11-20T08:00:00Z' };
    store = memoryStore(
      {
        policies: [{ id: policy, ...here, title: 'Locks', state: 'published' }],
        evidence: [{ id: evidence, ...here, ...proof, state: 'accepted', expires_on: '2026-11-21' }],
      },
      me,
    );
    await store.write('take', tx => takeFramework(tx, { id, organizationId, catalogue: small() }));
  });
  const first = controlId(id, 'ac-1');
  const target = { table: 'policies', id: policy } as const;
  const link = () => store.write('link', tx => linkControl(tx, { controlId: first, organizationId, target }));
  const figures = async (day = today) => (await store.read(openedFramework(id, day)))?.figures;
  const prove = (state: 'accepted' | 'collected' = 'accepted') =>
    store.write('prove', async tx => {
      const about = { organization_id: organizationId, evidence_id: evidence, target_table: 'controls' } as const;
      await tx.put('evidence_links', { id: uuid(7), ...about, target_id: first });
      await tx.change('evidence', evidence, { state });
    });

  test('begins as gaps; a policy in force addresses a control, evidence proves it for as long as it holds', async () => {
    expect(await figures()).toEqual({ proven: 0, addressed: 0, gap: 2 });
    await link();
    expect(await figures()).toEqual({ proven: 0, addressed: 1, gap: 1 });
    await prove();
    expect(await figures()).toEqual({ proven: 1, addressed: 0, gap: 1 });
    expect(await figures('2026-11-22')).toEqual({ proven: 0, addressed: 1, gap: 1 });
    await store.write('unlink', tx => unlinkControl(tx, first, policy));
    expect(await figures('2026-11-22')).toEqual({ proven: 0, addressed: 0, gap: 2 });
  });

  test('evidence that waits for review proves nothing', async () => {
    await prove('collected');
    expect(await figures()).toEqual({ proven: 0, addressed: 0, gap: 2 });
  });

  test('a link is said once and taken away whole', async () => {
    await link();
    await link();
    expect((await store.read(openedControl(first, today)))?.answering).toEqual([{ ...target, title: 'Locks' }]);
    await store.write('unlink', tx => unlinkControl(tx, first, policy));
    expect((await store.read(openedControl(first, today)))?.answering).toEqual([]);
  });

  test('a policy that names its controls is linked to those that are here, and the others are said', async () => {
    const names = ['AC-1', 'ac-1.1', 'CC6.1'].map(name => ({ framework: null, name }));
    const unknown = await store.write('named', tx => linkNamedControls(tx, { organizationId, names, target }));
    expect(unknown).toEqual(['CC6.1']);
    expect(await figures()).toEqual({ proven: 0, addressed: 2, gap: 0 });
  });

  test('a name links in the framework the policy means; where several fit, in none until a person says which', async () => {
    const other = uuid(77);
    const small = readCatalogue(JSON.stringify(SMALL));
    if (!small.ok) throw new Error(small.problem);
    const iso = { ...small.catalogue, title: 'ISO/IEC 27001', edition: '2022' };
    await store.write('other', tx => takeFramework(tx, { id: other, organizationId, catalogue: iso }), {
      together: true,
    });
    const link = (framework: string | null, chosen?: ReadonlyMap<string, string | null>) =>
      store.write('named', tx =>
        linkNamedControls(tx, {
          organizationId,
          names: [{ framework, name: 'AC-1' }],
          target,
          ...(chosen && { chosen }),
        }),
      );
    const linked = async () => {
      const links = await store.read({ key: 'links', tables: ['control_links'], read: tx => tx.all('control_links') });
      return links.map(({ control_id: control }) => control);
    };
    expect(await link(null)).toEqual(['AC-1']);
    expect(await link('HIPAA')).toEqual(['AC-1']);
    expect(await link('HIPAA', new Map([['HIPAA', null]]))).toEqual(['AC-1']);
    expect(await linked()).toEqual([]);
    expect(await link('ISO27001')).toEqual([]);
    expect(await linked()).toEqual([controlId(other, 'ac-1')]);
    expect(await link('HIPAA', new Map([['HIPAA', id]]))).toEqual([]);
    expect(await linked()).toHaveLength(2);
  });

  test('that was taken away is gone', async () => {
    await store.write('remove', tx => removeFramework(tx, id));
    expect(await store.read(openedFramework(id, today))).toBeNull();
    await expect(store.write('again', tx => removeFramework(tx, id))).rejects.toMatchObject({ code: 'not_found' });
  });
});
