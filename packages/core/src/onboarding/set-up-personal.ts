import { addDays } from '@cairn/base/local-day.ts';
import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { importForm } from '../field-ops/import-form.ts';
import { publishForm } from '../field-ops/publish-form.ts';
import { personalPlan, withFields } from './first-run.ts';
import type { GrowthAreaId } from './growth-areas.ts';
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
    'Call somebody you have not spoken to for long',
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
  /** The device's local day, YYYY-MM-DD. */
  today: string;
  /** The instant (ISO 8601) at which a local day ends. */
  endOfDay: (day: string) => string;
};

/**
 * Begins a personal playbook: an action item for each area and one for the goal, and a form to look back on the week.
 * Choosing again adds what is new and takes nothing away. Run it in a write with `together: true`.
 *
 * @throws {Failure} `not_found` for the playbook
 */
export async function setUpPersonal(tx: WriteTx, setUp: SetUpPersonal): Promise<void> {
  const { playbookId, areas, language, by } = setUp;
  const playbook = await tx.get('playbooks', playbookId);
  if (!playbook) throw new Failure('not_found', `setUpPersonal: no playbook ${playbookId}`);
  const organizationId = playbook.organization_id;
  const { goal } = personalPlan(playbook.settings);
  const items = areas.map(area => ({
    key: `area/${area}`,
    title: inTongue(FIRST_STEPS[area], language),
    days: STEP_DAYS,
  }));
  if (goal) items.push({ key: 'goal', title: goal, days: GOAL_DAYS });
  for (const { key, title, days } of items) {
    const id = derivedId(playbookId, key);
    if (await tx.get('action_items', id)) continue;
    await tx.put('action_items', {
      id,
      organization_id: organizationId,
      playbook_id: playbookId,
      title,
      status: 'assigned',
      assignee_id: by,
      source_type: 'manual',
      due_at: setUp.endOfDay(addDays(setUp.today, days)),
    });
  }
  await addLookBack(tx, { organizationId, playbookId, language, by });
  await tx.change('playbooks', playbookId, { settings: withFields(playbook.settings, { growth_areas: [...areas] }) });
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
