import { describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import type { FormDefinition, FormItem } from '../definition/form-definition.ts';
import {
  archiveForm,
  buildForm,
  discardDraft,
  draftId,
  emptyForm,
  formBuilt,
  publishDraft,
  restoreForm,
  sameForm,
  saveDraft,
} from './form-draft.ts';
import { outlineOf } from './form-outline.ts';
import { checkOutline } from './form-problems.ts';
import { importForm } from './import-form.ts';
import { readCondition, writeCondition, type PlainCondition } from '../expression/plain-condition.ts';
import { startInspection } from '../../inspections/start-inspection.ts';
import { tidyForm } from './tidy-form.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [formId, by, organizationId] = [uuid(1), uuid(3), uuid(9)];
const asks = (...items: FormItem[]): FormDefinition => ({ ...emptyForm('Ladder check'), items });
const rungs = asks({ type: 'integer', name: 'rungs', label: 'How many rungs? ' });
const both = asks(...rungs.items, { type: 'pass_fail', name: 'feet' });

async function built(definition: FormDefinition = rungs): Promise<Store> {
  const store = memoryStore();
  await store.write('test', tx => buildForm(tx, { formId, organizationId, playbookId: null, definition, by }));
  return store;
}
const opened = async (store: Store) => {
  const found = await store.read(formBuilt(formId));
  if (!found) throw new Error('no form');
  return found;
};
const publish = (store: Store, definition: FormDefinition, versionId: string, changes = '') =>
  store.write('test', tx => publishDraft(tx, { formId, versionId, definition, changes, by }));

describe('a form that is built', () => {
  test('is a draft that nobody can start with, called what its title says', async () => {
    const store = await built();
    expect(await opened(store)).toMatchObject({
      form: { state: 'draft', name: 'Ladder check' },
      isDraft: true,
      versions: [],
    });
    const start = store.write('test', tx =>
      startInspection(tx, { id: uuid(5), formId, playbookId: null, by, at: '2026-11-21T09:00:00.000Z' }),
    );
    await expect(start).rejects.toMatchObject({ code: 'invalid' });
  });

  test('keeps what is edited, and follows its new title until it is published', async () => {
    const store = await built();
    const renamed = { ...both, title: 'Ladders' };
    await store.write('test', tx => saveDraft(tx, { formId, definition: renamed, seen: rungs }));
    expect(await opened(store)).toMatchObject({ form: { name: 'Ladders' }, definition: renamed });
    await publish(store, renamed, uuid(10));
    await store.write('test', tx => saveDraft(tx, { formId, definition: both, seen: tidyForm(renamed) }));
    expect((await opened(store)).form.name).toBe('Ladders');
  });

  test('is not written over by somebody who saw an older one', async () => {
    const store = await built();
    await store.write('test', tx => saveDraft(tx, { formId, definition: both, seen: rungs }));
    const late = store.write('test', tx => saveDraft(tx, { formId, definition: asks(), seen: rungs }));
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    expect((await opened(store)).definition).toEqual(both);
  });

  test('is published as a version for good, tidied, with its line; the draft is empty then', async () => {
    const store = await built();
    expect(await publish(store, rungs, uuid(10))).toBe(1);
    expect(await publish(store, both, uuid(11), ' Feet are looked at ')).toBe(2);
    const { form, versions, isDraft } = await opened(store);
    expect(form).toMatchObject({ state: 'published', current_version_id: uuid(11) });
    expect(versions.map(({ number, source, changes }) => [number, source, changes])).toEqual([
      [1, 'builder', null],
      [2, 'builder', 'Feet are looked at'],
    ]);
    expect(versions[0]?.definition).toMatchObject({ items: [{ label: 'How many rungs?' }] });
    expect(isDraft).toBe(false);
  });

  test('that cannot be answered, or has no name, is not published', async () => {
    const store = await built();
    const broken = asks({ type: 'text', name: 'a', relevant: '${b} = 1' });
    await expect(publish(store, broken, uuid(10))).rejects.toMatchObject({ code: 'invalid' });
    await expect(publish(store, { ...rungs, title: ' ' }, uuid(10))).rejects.toMatchObject({ code: 'invalid' });
    expect((await opened(store)).versions).toEqual([]);
  });

  test('is again as it was published once its draft is discarded, and gone where it never was', async () => {
    const store = await built();
    await publish(store, rungs, uuid(10));
    await store.write('test', tx => saveDraft(tx, { formId, definition: both, seen: tidyForm(rungs) }));
    expect((await opened(store)).isDraft).toBe(true);
    expect(await store.write('test', tx => discardDraft(tx, formId))).toBe('draft');
    expect(await opened(store)).toMatchObject({ definition: tidyForm(rungs), isDraft: false });
    const other = await built();
    expect(await other.write('test', tx => discardDraft(tx, formId))).toBe('form');
    expect(await other.read(formBuilt(formId))).toBeNull();
  });

  test('that was imported and not changed is published as it came', async () => {
    const store = memoryStore();
    const rest = {
      formId,
      versionId: uuid(10),
      organizationId,
      playbookId: null,
      name: 'Ladders',
      source: 'xform',
      by,
    } as const;
    await store.write('test', tx => importForm(tx, { ...rest, definition: rungs }));
    expect((await opened(store)).isDraft).toBe(true);
    await publish(store, rungs, uuid(11));
    const { form, versions } = await opened(store);
    expect([form.current_version_id, versions.map(({ source }) => source)]).toEqual([uuid(10), ['xform']]);
  });

  test('archived starts nothing new, and can be taken into use again as it was', async () => {
    const store = await built();
    await store.write('test', tx => archiveForm(tx, formId));
    await store.write('test', tx => restoreForm(tx, formId));
    expect((await opened(store)).form.state).toBe('draft');
    await publish(store, rungs, uuid(10));
    await store.write('test', tx => archiveForm(tx, formId));
    const start = store.write('test', tx =>
      startInspection(tx, { id: uuid(5), formId, playbookId: null, by, at: '2026-11-21T09:00:00.000Z' }),
    );
    await expect(start).rejects.toMatchObject({ code: 'invalid' });
    await store.write('test', tx => restoreForm(tx, formId));
    expect((await opened(store)).form.state).toBe('published');
  });

  test('has one draft, whoever begins it', () => {
    expect(draftId(formId)).toBe(draftId(formId));
    expect(draftId(formId)).not.toBe(draftId(uuid(2)));
  });
});

test('two forms are the same whatever the order of their fields', () => {
  expect(sameForm({ ...rungs }, Object.fromEntries(Object.entries(rungs).toReversed()) as FormDefinition)).toBe(true);
  expect(sameForm(rungs, both)).toBe(false);
});

describe('problems', () => {
  const check = (...items: FormItem[]) =>
    checkOutline(outlineOf({ ...asks(...items), choice_lists: { none: [] } })).problems.map(
      ({ key, field, code, character }) => [key, field, code, character],
    );

  test('name their question, field and place in the formula', () => {
    expect(
      check(
        {
          type: 'text',
          name: 'a',
          constraint: '. > ',
          rules: [{ when: '${zz}', action: false, photo: 'optional', note: 'optional', priority: 'low' }],
        },
        {
          type: 'group',
          name: 's',
          items: [
            { type: 'select_one', name: 'b' },
            { type: 'select_one', name: 'c', list: 'none' },
          ],
        },
        { type: 'text', name: 'a' },
      ),
    ).toEqual([
      ['0', 'constraint', 'expression', 5],
      ['0', 'rules.0', 'expression', 1],
      ['2', 'list', 'no_list', undefined],
      ['3', 'list', 'no_choices', undefined],
      ['4', 'name', 'twice', undefined],
    ]);
  });

  test('are that nothing is asked, that something depends on itself, and parts that are missing', () => {
    expect(check({ type: 'note', name: 'n' })).toEqual([[null, 'items', 'empty', undefined]]);
    expect(check({ type: 'text', name: 'a', relevant: '${a} = 1' })).toEqual([['0', 'relevant', 'expression', null]]);
    expect(check({ type: 'calculate', name: 'a' }, { type: 'range', name: 'b' })).toEqual([
      ['0', 'calculation', 'no_calculation', undefined],
      ['1', 'range', 'no_range', undefined],
    ]);
  });

  test('are none in a form that can be published, and it is ready to be tried out', () => {
    const { problems, compiled } = checkOutline(outlineOf(both));
    expect([problems, compiled?.questions.length]).toEqual([[], 2]);
  });
});

describe('a condition that can be chosen', () => {
  const chosen: [PlainCondition, string][] = [
    [{ question: 'fuel', test: 'is', value: 'gas' }, "${fuel} = 'gas'"],
    [{ question: 'fuel', test: 'is_not', value: "it's" }, '${fuel} != "it\'s"'],
    [{ question: null, test: 'has', value: 'fire' }, "selected(., 'fire')"],
    [{ question: 'hours', test: 'more', value: '-1.5' }, '${hours} > -1.5'],
    [{ question: 'hours', test: 'less', value: '7' }, '${hours} < 7'],
    [{ question: 'fuel', test: 'answered', value: '' }, "${fuel} != ''"],
    [{ question: 'fuel', test: 'unanswered', value: '' }, "${fuel} = ''"],
  ];
  test.each(chosen)('%j is written %s and read again', (condition, expression) => {
    expect(writeCondition(condition)).toBe(expression);
    expect(readCondition(expression)).toEqual(condition);
  });

  test.each(['${a} = 1 and ${b} = 2', '${a} =', 'count(${r}) > 1', "${last-saved#a} = 'x'", '1 = ${a}'])(
    '%s is written as a formula',
    expression => expect(readCondition(expression)).toBeNull(),
  );
});
