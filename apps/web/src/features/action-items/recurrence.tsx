import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { LOOK_BACK_DAYS, recurrenceOf, TOO_OFTEN } from '@cairn/core/action-items/recurrence.ts';
import { createTask } from '@cairn/core/tasks/save-task.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { useSpace } from '../../shared/space.ts';
import { useAction } from '../../shared/use-action.ts';
import type { Action } from './action-screen-queries.ts';

/** What fails again and again is mended at its root: says so, and makes the task to change a policy or a training. */
export function Recurrence({ item }: { item: Action }) {
  const { t } = useTranslation('actions');
  const store = useStore();
  const { organization, playbook, userId, may } = useSpace();
  const found = useLive(recurrenceOf(item));
  const times = found.status === 'ready' ? (found.answer ?? 0) : 0;
  const proposing = useAction(async () => {
    await store.write('action-items.propose', tx =>
      createTask(tx, {
        id: newId(),
        organizationId: organization.id,
        playbookId: playbook?.id ?? null,
        siteId: item.site_id,
        title: t('again.taskTitle', { title: item.title }),
        notes: t('again.taskNotes', { count: times, days: LOOK_BACK_DAYS }),
        source: 'action_item',
        sourceId: item.id,
        by: userId,
        at: new Date().toISOString(),
      }),
    );
    toast({ title: t('again.made') });
  });
  if (times < TOO_OFTEN) return null;
  return (
    <Banner
      tone="warn"
      title={t('again.title', { count: times, days: LOOK_BACK_DAYS })}
      action={
        may('task.create') && (
          <Button busy={proposing.busy} onClick={() => proposing.run()}>
            {t('again.propose')}
          </Button>
        )
      }
    >
      {t('again.text')}
    </Banner>
  );
}
