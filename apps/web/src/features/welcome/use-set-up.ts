import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import { answerCompany, answerPersonal, chooseKind, chooseReminder } from '@cairn/core/onboarding/begin.ts';
import type { GrowthAreaId, GrowthCategory } from '@cairn/core/goals/growth-areas.ts';
import { presetOf, type Preset } from '@cairn/core/onboarding/presets.ts';
import { addSampleCompany } from '@cairn/core/onboarding/sample-company.ts';
import { addPersonalSample, removePersonalSample } from '@cairn/core/onboarding/sample-personal.ts';
import { setUpCompany } from '@cairn/core/onboarding/set-up-company.ts';
import { setUpPersonal } from '@cairn/core/onboarding/set-up-personal.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { browserLocale } from '../../shared/session/preferences.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useStarterLanguage } from './use-first-run.ts';

const TOGETHER = { together: true };
const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();
const atHour = (day: string, hour: number): string =>
  new Date(`${day}T${String(hour).padStart(2, '0')}:00:00`).toISOString();

/** Saves what the person uses Cairn for. */
export function useChooseKind(onSaved: (kind: 'company' | 'personal') => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const language = useStarterLanguage();
  return useAction(async (kind: 'company' | 'personal') => {
    await store.write('welcome.kind', tx => chooseKind(tx, { userId: user.id, kind, locale: browserLocale(language) }));
    onSaved(kind);
  });
}

export type CompanyForm = { name: string; size: string; industry: string; goal: string };

/** Saves the answers of a company; founds it where there is none. */
export function useAnswerCompany(present: string | null, onSaved: (organizationId: string) => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const { t } = useTranslation('welcome');
  return useAction(async (form: CompanyForm) => {
    const organizationId = present ?? newId();
    const ids = { organizationId, playbookId: newId(), userId: user.id };
    const answers = { ...form, ...ids, playbookName: t('company.playbook') };
    await store.write('welcome.company', tx => answerCompany(tx, answers), TOGETHER);
    onSaved(organizationId);
  });
}

export type PersonalForm = { focus: GrowthCategory; goal: string; reminder: string };

export function useAnswerPersonal(playbookId: string, onSaved: () => void) {
  const store = useStore();
  const { user } = useSignedIn();
  return useAction(async (form: PersonalForm) => {
    const answers = { ...form, playbookId, userId: user.id };
    await store.write('welcome.personal', tx => answerPersonal(tx, answers), TOGETHER);
    onSaved();
  });
}

export function useChooseReminder(onSaved: () => void) {
  const store = useStore();
  const { user } = useSignedIn();
  return useAction(async (time: string) => {
    await store.write('welcome.reminder', tx => chooseReminder(tx, user.id, time));
    onSaved();
  });
}

/** Sets up what an industry begins with. */
export function useSetUpCompany(organizationId: string, onSaved: () => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const language = useStarterLanguage();
  return useAction(async (preset: Preset) => {
    const setUp = { organizationId, preset, language, by: user.id };
    await store.write('welcome.preset', tx => setUpCompany(tx, setUp), TOGETHER);
    onSaved();
  });
}

export function useSetUpPersonal(playbookId: string, onSaved: () => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const language = useStarterLanguage();
  return useAction(async (areas: readonly GrowthAreaId[]) => {
    const setUp = { playbookId, areas, language, by: user.id, goalId: newId(), today: localDay(new Date()), endOfDay };
    await store.write('welcome.areas', tx => setUpPersonal(tx, setUp), TOGETHER);
    onSaved();
  });
}

/** Adds sample data: a company of its own, or rows in the private space. */
export function useAddSample(playbookId: string | null, onSaved: () => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const language = useStarterLanguage();
  return useAction(async (kind: 'company' | 'personal') => {
    const now = new Date();
    const by = { language, by: user.id, now: now.toISOString() };
    const preset = presetOf('warehouse');
    if (kind === 'personal' && playbookId !== null) {
      const sample = { ...by, playbookId, today: localDay(now), endOfDay, seed: newId() };
      await store.write('welcome.sample', tx => addPersonalSample(tx, sample), TOGETHER);
    } else if (kind === 'company' && preset) {
      const sample = { ...by, preset, organizationId: newId(), byName: user.fullName ?? user.email, at: atHour };
      await store.write('welcome.sample', tx => addSampleCompany(tx, sample));
    }
    onSaved();
  });
}

export function useRemovePersonalSample(playbookId: string, onSaved: () => void) {
  const store = useStore();
  return useAction(
    useCallback(async () => {
      await store.write('welcome.remove-sample', tx => removePersonalSample(tx, playbookId), TOGETHER);
      onSaved();
    }, [store, playbookId, onSaved]),
  );
}
