import { useState } from 'react';
import { Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import type { LoopHabit } from '@cairn/core/habits/loop-import.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { bytesOf } from '../../shared/files/unless-stalled.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = { position: number; onClose: () => void };

/** Brings habits from Loop Habit Tracker: its CSV export, read on this device. */
export function ImportLoop({ position, onClose }: Props) {
  const { t } = useTranslation('habits');
  const store = useStore();
  const { user } = useSignedIn();
  const [found, setFound] = useState<readonly LoopHabit[] | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const reading = useAction(async (file: File) => {
    const { readLoopExport } = await import('@cairn/core/habits/loop-import.ts');
    const habits = readLoopExport(await bytesOf(file));
    setLeft(new Set(habits.flatMap((habit, index) => (habit.isArchived ? [index] : []))));
    setFound(habits);
  });
  const saving = useAction(async () => {
    const { keepLoopHabit } = await import('@cairn/core/habits/loop-import.ts');
    const wanted = (found ?? []).filter((_, index) => !left.has(index));
    const now = new Date();
    const when = { today: localDay(now), at: now.toISOString() };
    for (const [index, habit] of wanted.entries()) {
      const one = { id: newId(), userId: user.id, habit, ...when, position: position + index };
      await store.write('habits.import', tx => keepLoopHabit(tx, one));
    }
    toast({ title: t('import.done', { count: wanted.length }) });
    onClose();
  });
  const failure = reading.failure ?? saving.failure;
  const pick = (file: File | undefined) => file && reading.run(file);
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('import.title')}
      description={t('import.text')}
      closeLabel={t('close')}
      actions={
        found && (
          <Button
            variant="primary"
            size="lg"
            block
            busy={saving.busy}
            disabled={left.size === found.length}
            onClick={() => saving.run()}
          >
            {t('import.save', { count: found.length - left.size })}
          </Button>
        )
      }
    >
      <div className="parts">
        <label className="btn quiet file-pick">
          <Upload className="i" aria-hidden="true" />
          {t('import.pick')}
          <input type="file" className="sr" accept=".zip,.csv" onChange={event => pick(event.target.files?.[0])} />
        </label>
        <FailureLine failure={failure} invalid={t('import.invalid')} />
        {found?.map((habit, index) => (
          <Checkbox
            key={`${index}${habit.fields.name}`}
            label={t('import.habit', { name: habit.fields.name, count: habit.entries.length })}
            checked={!left.has(index)}
            onChange={on => setLeft(new Set(on ? [...left].filter(each => each !== index) : [...left, index]))}
          />
        ))}
      </div>
    </Sheet>
  );
}
