import { addDays } from '@cairn/base/local-day.ts';
import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { importForm } from '../forms/draft/import-form.ts';
import { publishForm } from '../forms/draft/publish-form.ts';
import { moveGoal, saveGoal } from '../goals/save-goal.ts';
import { type PersonalPlan, personalPlan, withFields } from './first-run.ts';
import { growthAreas, type GrowthAreaId } from '../goals/growth-areas.ts';
import { ownForm } from './starter-form.ts';
import { inTongue, type StarterLanguage, type Text } from './text.ts';

/** The first step of each growth area: small, and done within a week. */
const FIRST_STEPS: Record<GrowthAreaId, Text> = {
  'health-wellness-foundation': [
    'Walk ten minutes, three days this week',
    'Diese Woche an drei Tagen zehn Minuten gehen',
  ],
  'career-growth-essentials': [
    'Write down what you want from work this year',
    'Aufschreiben, was du dieses Jahr von der Arbeit willst',
  ],
  'personal-development-basics': [
    'Choose one skill and practise it for an hour',
    'Eine Fähigkeit wählen und eine Stunde üben',
  ],
  'financial-literacy': ['Note what you spend for seven days', 'Sieben Tage lang notieren, was du ausgibst'],
  'relationship-building': [
    'Call someone you have not spoken to for a while',
    'Jemanden anrufen, den du lange nicht gesprochen hast',
  ],
  'mindfulness-focus': ['Sit quietly for five minutes a day', 'Jeden Tag fünf Minuten still sitzen'],
};

const LOOK_BACK: Text = ['Weekly look back', 'Wochenrückblick'];
const QUESTIONS: readonly { name: string; label: Text }[] = [
  { name: 'went_well', label: ['What went well?', 'Was lief gut?'] },
  { name: 'was_hard', label: ['What was hard?', 'Was war schwer?'] },
  { name: 'next_week', label: ['One small thing for next week', 'Eine kleine Sache für nächste Woche'] },
];

/** Days a first step has, and the ninety days of the goal. */
const STEP_DAYS = 7;
const GOAL_DAYS = 90;

export type SetUpPersonal = {
  playbookId: string;
  /** May be empty: then the look back is all there is to begin with. */
  areas: readonly GrowthAreaId[];
  language: StarterLanguage;
  by: string;
  /** A fresh id for the goal, where one was named. */
  goalId: string;
  /** The device's local day, YYYY-MM-DD. */
  today: string;
  /** The instant (ISO 8601) at which a local day ends. */
  endOfDay: (day: string) => string;
};

/**
 * Begins a personal playbook: an action item for each area, the goal, on its way, and a form to look back on the week.
 * Choosing again adds what is new and takes nothing away. Run it in a write with `together: true`.
 *
 * @throws {Failure} `not_found` for the playbook
 */
export async function setUpPersonal(tx: WriteTx, setUp: SetUpPersonal): Promise<void> {
  const { playbookId, areas, language, by } = setUp;
  const playbook = await tx.get('playbooks', playbookId);
  if (!playbook) throw new Failure('not_found', `setUpPersonal: no playbook ${playbookId}`);
  const organizationId = playbook.organization_id;
  for (const area of areas) {
    const id = derivedId(playbookId, `area/${area}`);
    if (await tx.get('action_items', id)) continue;
    await tx.put('action_items', {
      id,
      organization_id: organizationId,
      playbook_id: playbookId,
      title: inTongue(FIRST_STEPS[area], language),
      status: 'assigned',
      assignee_id: by,
      source_type: 'manual',
      due_at: setUp.endOfDay(addDays(setUp.today, STEP_DAYS)),
    });
  }
  await addLookBack(tx, { organizationId, playbookId, language, by });
  const goal = await beginGoal(tx, setUp, personalPlan(playbook.settings));
  const fields = { growth_areas: [...areas], ...(goal !== null && { goal_id: goal }) };
  await tx.change('playbooks', playbookId, { settings: withFields(playbook.settings, fields) });
}

/** The id of the goal that was named, once it is one among the person's goals; null where none was. */
async function beginGoal(tx: WriteTx, setUp: SetUpPersonal, plan: PersonalPlan): Promise<string | null> {
  const { areas, by: userId, goalId: id, today } = setUp;
  if (plan.goal === null || plan.goalId !== null) return plan.goalId;
  const chosen = growthAreas.filter(area => areas.length === 0 || areas.includes(area.id));
  const area =
    (chosen.find(({ category }) => category === plan.focus) ?? chosen[0])?.id ?? 'personal-development-basics';
  const blank = { why: '', metric: '', unit: '', baseline: null, target: null, difficulty: null };
  const fields = { ...blank, area, title: plan.goal, dueOn: addDays(today, GOAL_DAYS) };
  await saveGoal(tx, { id, userId, fields });
  await moveGoal(tx, { id, to: 'active', today });
  return id;
}

type LookBack = { organizationId: string; playbookId: string; language: StarterLanguage; by: string };

async function addLookBack(tx: WriteTx, { organizationId, playbookId, language, by }: LookBack): Promise<void> {
  const [formId, versionId] = [derivedId(playbookId, 'look-back'), derivedId(playbookId, 'look-back/1')];
  if (await tx.get('forms', formId)) return;
  const items = QUESTIONS.map(({ name, label }) => ({
    type: 'text' as const,
    name,
    label: inTongue(label, language),
    appearance: 'multiline',
  }));
  const name = inTongue(LOOK_BACK, language);
  const definition = ownForm({ format: 1, title: name, items });
  await importForm(tx, {
    formId,
    versionId,
    organizationId,
    playbookId,
    name,
    minutes: 5,
    definition,
    source: 'seed',
    by,
  });
  await publishForm(tx, { formId, versionId });
}
