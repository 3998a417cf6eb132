import { useTranslation } from 'react-i18next';
import { textsIn } from '@cairn/base/texts-in.ts';
import { MAX_FILE_BYTES } from '@cairn/core/media/file-limits.ts';
import { attachEvidence } from '@cairn/core/tasks/attach-evidence.ts';
import type { Store } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { toNewFile } from '../../shared/media/to-new-file.ts';
import { PhotoView } from '../../shared/media/photo-view.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import type { Task } from './use-task-changes.ts';

/** Photos and files that show that it was done. */
export function TaskEvidence({ task, readOnly }: { task: Task; readOnly: boolean }) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const adding = useAction(async (files: readonly File[]) => {
    for (const file of files) await keep(store, task.id, file);
  });
  const files = textsIn(task.media_ids);
  if (readOnly && files.length === 0) return null;
  return (
    <Card className="stack" label={t('detail.files')}>
      <h2 className="h2">{t('detail.files')}</h2>
      {files.length > 0 && (
        <div className="photo-grid">
          {files.map((id, index) => (
            <PhotoView key={id} mediaId={id} label={t('detail.file', { number: index + 1, title: task.title })} />
          ))}
        </div>
      )}
      {!readOnly && (
        <FileDrop
          label={t('detail.addFile')}
          hint={t('detail.fileHint')}
          maxBytes={MAX_FILE_BYTES}
          disabled={adding.busy}
          onFiles={files => adding.run(files)}
          onRefused={() => toast({ title: t('detail.fileRefused'), tone: 'bad' })}
        />
      )}
      <FailureLine failure={adding.failure} invalid={t('detail.fileRefused')} />
    </Card>
  );
}

async function keep(store: Store, taskId: string, picked: File): Promise<void> {
  const file = await toNewFile(store, picked);
  await store.write('tasks.attach', tx =>
    attachEvidence(tx, { taskId, file, by: store.owner, at: new Date().toISOString() }),
  );
}
