import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { readCatalogue } from './oscal-catalogue.ts';
import { CONTROLS_AT_ONCE, partsOf, takeFramework } from './take-framework.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const read = (catalog: object) => {
  const result = readCatalogue(JSON.stringify({ catalog }));
  if (!result.ok) throw new Error(result.problem);
  return result.catalogue;
};

test('the whole of SP 800-53, and up to 5,000 controls, is read and taken in parts a push can carry', async () => {
  const controls = Array.from({ length: 5000 }, (_, n) => ({ id: `x-${n}`, title: `Control ${n}` }));
  const catalogue = read({ metadata: { title: 'Thousands' }, groups: [{ title: 'Family', controls }] });
  expect(catalogue.controls).toHaveLength(5000);
  const store = memoryStore();
  const whole = { id: uuid(1), organizationId: uuid(2), catalogue };
  for (let part = 0; part < partsOf(catalogue); part += 1)
    await store.write('take', tx => takeFramework(tx, whole, part), { together: true });
  // What broke off is taken again: the same rows.
  await store.write('again', tx => takeFramework(tx, whole, 3), { together: true });
  const rows = await store.read({ key: 'all', tables: ['controls'], read: tx => tx.all('controls') });
  expect(new Set(rows.map(({ position }) => position)).size).toBe(5000);
  expect(CONTROLS_AT_ONCE).toBeLessThan(1000);
});

test('parameters of the catalogue and of groups are filled in, a control knows better, and "one or more" is said', () => {
  const param = (id: string, label: string) => ({ id, label });
  const insert = (id: string) => `{{ insert: param, ${id} }}`;
  const prose = ['all', 'group', 'own', 'pick'].map(insert).join(', ');
  const { controls } = read({
    params: [param('all', 'everywhere'), param('own', 'outside')],
    groups: [
      {
        title: 'G',
        params: [param('group', 'in the group')],
        controls: [
          {
            id: 'g-1',
            title: 'One',
            params: [
              param('own', 'its own'),
              { id: 'pick', select: { 'how-many': 'one-or-more', choice: ['a', 'b'] } },
            ],
            parts: [{ name: 'statement', prose }],
          },
        ],
      },
    ],
  });
  expect(controls[0]?.statement).toBe('[everywhere], [in the group], [its own], [one or more: a / b]');
});

test('a file of another kind says what it is and where it belongs', () => {
  expect(readCatalogue('{"plan-of-action-and-milestones":{}}')).toEqual({ ok: false, problem: 'is_poam' });
  expect(readCatalogue('{"format":1,"title":"x","items":[]}')).toEqual({ ok: false, problem: 'is_form' });
  expect(readCatalogue('# Rules', 'rules.md')).toEqual({ ok: false, problem: 'is_policy' });
});
