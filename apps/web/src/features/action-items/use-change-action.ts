import { useTranslation } from 'react-i18next';
import { changeActionItem, type ActionItemChanges } from '@cairn/core/action-items/change-action-item.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/toast.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';

/** Changes an action item at once, with the way back in a toast where one is given. */
export function useChangeAction(id: string) {
  const { t } = useTranslation('actions');
  const store = useStore();
  const { user } = useSignedIn();
  const write = (changes: ActionItemChanges) =>
    store.write('action-items.change', tx =>
      changeActionItem(tx, { id, changes, by: user.id, at: new Date().toISOString() }),
    );
  return useAction(async (changes: ActionItemChanges, said: string, back: ActionItemChanges | null) => {
    await write(changes);
    toast({
      title: said,
      ...(back && { action: { label: t('undo'), onPress: () => undo(write(back), t('undoFailed')) } }),
    });
  });
}

/** An undo that comes too late (somebody else has moved on) says so; nothing else happens. */
function undo(done: Promise<unknown>, failed: string): void {
  done.catch(() => toast({ title: failed, tone: 'bad' }));
}
