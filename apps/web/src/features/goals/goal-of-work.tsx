import { useState } from 'react';
import { Sprout } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { actionItem } from '@cairn/core/action-items/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { GoalForm } from './goal-form.tsx';

/** Begins a goal of one's own from the words of an action item. The words are copied: no row of work knows of it. */
export function GoalOfWork({ actionId }: { actionId: string }) {
  const { t } = useTranslation('goals');
  const found = useLive(actionItem(actionId));
  const [making, setMaking] = useState(false);
  const item = found.status === 'ready' ? found.answer?.item : undefined;
  if (!item) return null;
  return (
    <div>
      <Button icon={Sprout} onClick={() => setMaking(true)}>
        {t('fromWork.open')}
      </Button>
      {making && (
        <GoalForm
          copied={{ title: item.title, why: '' }}
          onClose={() => setMaking(false)}
          onSaved={() => toast({ title: t('fromWork.saved') })}
        />
      )}
    </div>
  );
}
