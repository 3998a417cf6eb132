import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import type { ActionItemChanges } from '@cairn/core/action-items/change-action-item.ts';
import {
  changeActionForNow,
  takeActionBack,
  type ActionChange,
  type ActionField,
} from '@cairn/core/action-items/take-back.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { reportError } from '../../shared/errors/report-error.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';

/** The name of each field on the screen. */
const LABELS = {
  title: 'field.title',
  description: 'field.description',
  dueAt: 'field.due',
  assigneeId: 'field.assignee',
  priority: 'field.priority',
  status: 'field.status',
  kind: 'field.kind',
  rootCause: 'field.rootCause',
  checkOn: 'field.checkOn',
} as const satisfies Record<ActionField, string>;

/** Takes a change back, and says what of it stays since somebody changed it meanwhile. */
function useUndo(): (change: ActionChange) => Promise<void> {
  const { t } = useTranslation('actions');
  const store = useStore();
  const { user } = useSignedIn();
  return async change => {
    const how = { by: user.id, at: new Date().toISOString() };
    try {
      const left = await store.write('action-items.undo', tx => takeActionBack(tx, change, how));
      const names = left.map(field => t(LABELS[field])).join(', ');
      if (left.length > 0) toast({ title: t('undoLeft'), description: names, tone: 'bad' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      reportError(t('undo'), error);
    }
  };
}

/** Changes an action item at once, with the way back in a toast where there is one. */
export function useChangeAction(id: string) {
  const { t } = useTranslation('actions');
  const undo = useUndo();
  const store = useStore();
  const { user } = useSignedIn();
  return useAction(async (changes: ActionItemChanges, message: string, mayUndo: boolean) => {
    const change = { id, changes, by: user.id, at: new Date().toISOString() };
    const done = await store.write('action-items.change', tx => changeActionForNow(tx, change));
    toast({
      title: message,
      ...(mayUndo && { action: { label: t('undo'), onPress: () => void undo(done) } }),
    });
  });
}
