import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { answerQuestion } from '../inspections/answer-question.ts';
import { compileForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from '../inspections/finish-inspection.ts';
import { longerLookForm } from './longer-look.ts';
import { askNoMore, askNowAndThen, beginLook, bringLongerLook, questionnaires } from './questionnaires.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [SAM, PRIVATE_SPACE, ACME] = [uuid(3), uuid(20), uuid(21)];
const AT = '2026-11-08T12:00:00.000Z';

const form = (id: string, organization: string, part = {}) => ({
  id,
  organization_id: organization,
  name: `Form ${id.slice(-1)}`,
  state: 'published' as const,
  current_version_id: uuid(40),
  ...part,
});
const store = () =>
  memoryStore(
    {
      organizations: [
        { id: PRIVATE_SPACE, name: 'Home', slug: 'home', kind: 'private' as const, created_by: SAM },
        { id: ACME, name: 'Acme', slug: 'acme', kind: 'company' as const },
      ],
      forms: [
        form(uuid(31), PRIVATE_SPACE),
        form(uuid(32), ACME, { category: 'wellness' }),
        form(uuid(33), PRIVATE_SPACE, { state: 'draft' }),
      ],
    },
    SAM,
  );

async function imported() {
  const own = store();
  const bring = { formId: uuid(30), versionId: uuid(40), userId: SAM, language: 'en' as const };
  await own.write('bring', tx => bringLongerLook(tx, bring), { together: true });
  const begin = (id: string) => own.write('begin', tx => beginLook(tx, { id, formId: uuid(30), by: SAM, at: AT }));
  const look = async () => (await own.read(questionnaires(SAM))).asked.find(({ form: { id } }) => id === uuid(30));
  return { own, begin, look };
}

test('the questionnaire is a form of the person’s private space, and its score runs from 0 to 100', async () => {
  const { own, begin, look } = await imported();
  expect(await look()).toEqual({
    form: { id: uuid(30), name: 'The last two weeks' },
    open: null,
    results: [],
    dueFrom: null,
  });
  const result = compileForm(longerLookForm('en'));
  if (!result.ok) throw new Error('it cannot be answered');
  const given = { form: result.compiled, by: SAM, at: AT, moment: { today: '2026-11-08', now: AT } };
  await begin(uuid(50));
  // Begun once: it is taken up, on whichever screen.
  expect(await begin(uuid(51))).toBe(uuid(50));
  expect((await look())?.open).toBe(uuid(50));
  const steps = { strength: 4, let_go: 3, nights: 4, people: 2, sense: 1 };
  for (const [name, step] of Object.entries(steps)) {
    const answer = { ...given, inspectionId: uuid(50), question: `weeks.${name}`, value: `step_${step}` };
    await own.write('answer', tx => answerQuestion(tx, answer));
  }
  const finish = { ...given, id: uuid(50), signature: null, byName: 'Sam' };
  await own.write('finish', tx => finishInspection(tx, finish));
  expect(await look()).toMatchObject({
    open: null,
    results: [{ id: uuid(50), day: '2026-11-08', percent: 70 }],
    dueFrom: '2026-11-22',
  });
  // It has points, and nobody passes it.
  const kept = await own.read({ key: 'kept', tables: ['inspections'], read: tx => tx.get('inspections', uuid(50)) });
  expect(kept).toMatchObject({ score: 14, score_max: 20, result: null });
});

test('any form of one’s own may be asked, no form of a company, and what is asked no more keeps its answers', async () => {
  const { own, begin } = await imported();
  const read = () => own.read(questionnaires(SAM));
  const names = async () => (await read()).asked.map(({ form: { name } }) => name);
  expect((await read()).others).toEqual([{ id: uuid(31), name: 'Form 1' }]);
  await own.write('ask', tx => askNowAndThen(tx, uuid(31), SAM));
  expect(await names()).toEqual(['Form 1', 'The last two weeks']);
  for (const act of [askNowAndThen, askNoMore])
    await expect(own.write('ask', tx => act(tx, uuid(32), SAM))).rejects.toMatchObject({ code: 'not_found' });
  await expect(
    own.write('begin', tx => beginLook(tx, { id: uuid(60), formId: uuid(32), by: SAM, at: AT })),
  ).rejects.toMatchObject({ code: 'not_found' });
  await begin(uuid(50));
  await own.write('leave', tx => askNoMore(tx, uuid(30), SAM));
  expect(await names()).toEqual(['Form 1']);
  await own.write('ask', tx => askNowAndThen(tx, uuid(30), SAM));
  expect((await read()).asked.at(-1)?.open).toBe(uuid(50));
});

test('without a private space on the device there is nothing to ask, and nothing is brought in', async () => {
  const own = memoryStore({}, SAM);
  expect(await own.read(questionnaires(SAM))).toEqual({ asked: [], others: [] });
  const bring = { formId: uuid(30), versionId: uuid(40), userId: SAM, language: 'de' as const };
  await expect(own.write('bring', tx => bringLongerLook(tx, bring))).rejects.toMatchObject({ code: 'not_found' });
});
