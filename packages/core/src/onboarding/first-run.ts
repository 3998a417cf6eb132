import { textsIn } from '@cairn/base/texts-in.ts';
import type { Json, Row } from '@cairn/schema';
import { growthArea, type GrowthAreaId } from '../goals/growth-areas.ts';

/**
 * Whether a signed-in person who opens `/` is led to `/welcome`: nobody has saved preferences for them yet (R2.24).
 *
 * @param known false until the first pull of this device has ended: a missing row then says nothing
 */
export const needsWelcome = (preferences: Pick<Row<'user_preferences'>, 'id'> | null, known: boolean): boolean =>
  known && preferences === null;

/** The steps of the first run, in their order. */
export const firstRunSteps = ['kind', 'questions', 'start', 'sample', 'offline', 'notifications', 'first'] as const;
export type FirstRunStep = (typeof firstRunSteps)[number];

/** What a step's screen can say of itself; the rest is read from the records. */
export type StepState = 'open' | 'done' | 'skipped';

/** What the records on this device say about a person's first run. */
export type FirstRunFacts = {
  /** What they use Cairn for; null until they chose. */
  kind: 'company' | 'personal' | null;
  /** They belong to a company that somebody else sets up. */
  isGuest: boolean;
  answered: boolean;
  /** Growth areas were chosen, or a company preset was set up. */
  started: boolean;
  hasSample: boolean;
  /** A first inspection was finished or a first action item closed, outside of sample data. */
  firstDone: boolean;
};

/** Marks this browser keeps (userProgress of the app state): ids of steps, `skip:<step>`, `begun`, `dismissed`. */
export type Marks = readonly string[];

const FACT_OF: Partial<Record<FirstRunStep, (facts: FirstRunFacts) => boolean>> = {
  kind: ({ kind }) => kind !== null,
  questions: ({ answered }) => answered,
  start: ({ started }) => started,
  sample: ({ hasSample }) => hasSample,
  first: ({ firstDone }) => firstDone,
};

/** Steps of a person: five for somebody whose company is already set up, else seven. */
export const stepsFor = ({ isGuest, kind }: FirstRunFacts): FirstRunStep[] =>
  firstRunSteps.filter(step => !(isGuest && kind === 'company') || (step !== 'start' && step !== 'sample'));

/** How each step of a person stands; a fact of the records outweighs what was skipped. */
export function stepStates(facts: FirstRunFacts, marks: Marks): { step: FirstRunStep; state: StepState }[] {
  return stepsFor(facts).map(step => {
    if (FACT_OF[step]?.(facts) || marks.includes(step)) return { step, state: 'done' };
    return { step, state: marks.includes(`skip:${step}`) ? 'skipped' : 'open' };
  });
}

/** The step to go on with: the first one that is open; null when none is. */
export const nextStep = (states: readonly { step: FirstRunStep; state: StepState }[]): FirstRunStep | null =>
  states.find(({ state }) => state === 'open')?.step ?? null;

/** Whether the first run was begun on this device and not dismissed. */
export const isUnderway = (marks: Marks): boolean => marks.includes('begun') && !marks.includes('dismissed');

/** Whether the dashboard shows the progress: underway, and not all done. */
export function showsProgress(states: readonly { state: StepState }[], marks: Marks): boolean {
  return isUnderway(marks) && states.some(({ state }) => state !== 'done');
}

const recordOf = (json: Json): Record<string, Json> =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};

/** What a personal playbook's settings say about its owner's plans. */
export type PersonalPlan = {
  focus: string | null;
  goal: string | null;
  /** The goal that was made of it; null until then. */
  goalId: string | null;
  /** Null until any were chosen. */
  areas: GrowthAreaId[] | null;
  /** Ids of the action items that are sample data. */
  samples: string[];
};

/** Reads `playbooks.settings` of a personal playbook; unknown areas are left out. */
export function personalPlan(settings: Json): PersonalPlan {
  const { focus, goal, goal_id: goalId, growth_areas: areas, sample_actions: samples } = recordOf(settings);
  return {
    focus: typeof focus === 'string' ? focus : null,
    goal: typeof goal === 'string' && goal !== '' ? goal : null,
    goalId: typeof goalId === 'string' ? goalId : null,
    areas: Array.isArray(areas) ? areas.flatMap(id => growthArea(id)?.id ?? []) : null,
    samples: textsIn(samples ?? []),
  };
}

/** What a company's settings say about its first run. `sample`: it was founded to look around. */
export type CompanyPlan = {
  size: string | null;
  industry: string | null;
  goal: string | null;
  preset: string | null;
  sample: boolean;
};

/** Reads `organizations.settings`. */
export function companyPlan(settings: Json): CompanyPlan {
  const fields = recordOf(settings);
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
  return {
    size: text('size'),
    industry: text('industry'),
    goal: text('goal'),
    preset: text('preset'),
    sample: fields['sample'] === true,
  };
}

/** Settings with some fields changed and everything else kept. */
export const withFields = (settings: Json, fields: Record<string, Json>): Json => ({
  ...recordOf(settings),
  ...fields,
});
