import { useTranslation } from 'react-i18next';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { conflictNames, NO_NAMES } from './conflict-names.ts';
import { conflictName, type People } from './field-text.ts';
import type { ValueContext } from './value-text.ts';

export type ConflictTexts = { conflict: Conflict; name: string; telling: ValueContext };

/** Conflicts with all it takes to say in words what they are about. */
export function useConflictTexts(conflicts: readonly Conflict[], people: People): ConflictTexts[] {
  const { t, i18n } = useTranslation('sync');
  const live = useLive(conflictNames(conflicts, i18n.language));
  const names = live.status === 'ready' ? live.answer : NO_NAMES;
  return conflicts.map(conflict => ({
    conflict,
    name: conflictName(conflict, names, t),
    telling: { table: conflict.table, people, names, question: names.questions.get(conflict.id), t },
  }));
}
