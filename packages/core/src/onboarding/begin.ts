import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { changePreferences } from '../preferences/change-preferences.ts';
import { isLocaleChosen, type Locale } from '../preferences/preferences.ts';
import { withFields } from './first-run.ts';
import type { GrowthCategory } from '../goals/growth-areas.ts';

export type ChooseKind = {
  userId: string;
  kind: 'company' | 'personal';
  /** What is shown now. */
  locale: Locale;
};

/** Saves what a person uses Cairn for; with it the default preferences and, where they chose none yet, the locale they go through it in. */
export async function chooseKind(tx: WriteTx, { userId, kind, locale }: ChooseKind): Promise<void> {
  const present = await tx.get('user_preferences', userId);
  const offered = present && isLocaleChosen(present) ? {} : locale;
  await changePreferences(tx, { userId, change: { preferred_playbook_type: kind, ...offered }, locale });
}

/** Saves when a person wants to be reminded. `time`: HH:MM, local. @throws {Failure} `invalid` for another text */
export async function chooseReminder(tx: WriteTx, userId: string, time: string): Promise<void> {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) throw new Failure('invalid', 'chooseReminder: not a time of day');
  await tx.put('user_preferences', { id: userId, user_id: userId, notification_time: time });
}

export type PersonalAnswers = {
  userId: string;
  playbookId: string;
  focus: GrowthCategory;
  /** May be empty. */
  goal: string;
  /** HH:MM, local. */
  reminder: string;
};

/**
 * Saves the three answers of a private space: the area of life, one goal, when to be reminded.
 *
 * @throws {Failure} `invalid` for a time that is none; `not_found` for the playbook
 */
export async function answerPersonal(tx: WriteTx, { userId, playbookId, ...answers }: PersonalAnswers): Promise<void> {
  await chooseReminder(tx, userId, answers.reminder);
  const playbook = await tx.get('playbooks', playbookId);
  if (!playbook) throw new Failure('not_found', `answerPersonal: no playbook ${playbookId}`);
  const settings = withFields(playbook.settings, { focus: answers.focus, goal: answers.goal.trim() });
  await tx.change('playbooks', playbookId, { settings });
}

export type CompanyAnswers = {
  /** The company to set up; a fresh id founds one. */
  organizationId: string;
  /** Fresh ids, used where a company is founded. */
  playbookId: string;
  userId: string;
  name: string;
  /** In the person's language. */
  playbookName: string;
  size: string;
  industry: string;
  goal: string;
};

/**
 * Saves the three answers of a company: size, industry, goal. Where it is not there yet it is founded with its first
 * playbook; it opens once the server has made the founder its administrator. Run it in a write with `together: true`.
 *
 * @throws {Failure} `invalid` when a new company has no name
 */
export async function answerCompany(tx: WriteTx, answers: CompanyAnswers): Promise<void> {
  const { organizationId, size, industry, goal } = answers;
  const present = await tx.get('organizations', organizationId);
  const settings = withFields(present?.settings ?? {}, { size, industry, goal });
  if (present) return tx.change('organizations', organizationId, { settings });
  const name = answers.name.trim();
  if (name === '') throw new Failure('invalid', 'answerCompany: a company has a name');
  await tx.put('organizations', { id: organizationId, name, settings });
  await tx.put('playbooks', {
    id: answers.playbookId,
    organization_id: organizationId,
    name: answers.playbookName,
    type: 'company',
    owner_id: answers.userId,
  });
}
