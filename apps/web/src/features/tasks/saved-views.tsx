import { useState } from 'react';
import { Bookmark, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { taskViews } from '@cairn/core/tasks/queries.ts';
import { everyTask, readFilter, type TaskFilter } from '@cairn/core/tasks/task-filter.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { FilterChip } from '@cairn/ui/controls/chip.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { useTaskSpace } from './task-space.ts';

type Props = { filter: TaskFilter; onFilter: (filter: TaskFilter) => void };

const same = (a: TaskFilter, b: TaskFilter): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A person's own views: a press shows one, another shows everything again. */
export function SavedViews({ filter, onFilter }: Props) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const views = useLive(taskViews);
  const [naming, setNaming] = useState(false);
  const removing = useAction((id: string) => store.write('tasks.removeView', tx => tx.remove('task_views', id)));
  const rows = views.status === 'ready' ? views.answer : [];
  const open = rows.find(row => same(readFilter(row.filter), filter));
  const isPlain = same(filter, everyTask);
  if (rows.length === 0 && isPlain) return null;
  return (
    <section className="row wrap" aria-label={t('saved_.label')}>
      {rows.map(row => (
        <FilterChip
          key={row.id}
          pressed={row === open}
          onChange={on => onFilter(on ? readFilter(row.filter) : everyTask)}
        >
          {row.name}
        </FilterChip>
      ))}
      {open && (
        <IconButton icon={X} label={t('saved_.remove', { name: open.name })} onClick={() => removing.run(open.id)} />
      )}
      {!open && !isPlain && (
        <Button icon={Bookmark} onClick={() => setNaming(true)}>
          {t('saved_.save')}
        </Button>
      )}
      <FailureLine failure={removing.failure} />
      {naming && <NameSheet filter={filter} onClose={() => setNaming(false)} />}
    </section>
  );
}

function NameSheet({ filter, onClose }: { filter: TaskFilter; onClose: () => void }) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { userId } = useTaskSpace();
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const saving = useAction(async () => {
    const row = { id: newId(), user_id: userId, name: name.trim(), filter };
    await store.write('tasks.saveView', tx => tx.put('task_views', row));
    toast({ title: t('saved_.kept', { name: row.name }) });
    onClose();
  });
  const isEmpty = name.trim() === '';
  return (
    <FormSheet
      title={t('saved_.save')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('saved_.save')}
      onSave={() => (isEmpty ? setTried(true) : saving.run())}
    >
      <Input
        label={t('saved_.name')}
        value={name}
        maxLength={60}
        error={tried && isEmpty ? t('saved_.needed') : undefined}
        onChange={event => setName(event.target.value)}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}
