import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera } from 'lucide-react';
import { textsIn } from '@cairn/base/texts-in.ts';
import { attachFile } from '@cairn/core/action-items/attach-file.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { FailureLine } from '../../shared/failure-line.tsx';
import { keptFile } from '../../shared/kept-file.ts';
import { PhotoView } from '../../shared/photo-view.tsx';
import { useAction } from '../../shared/use-action.ts';
import type { Action } from './action-screen-queries.ts';

/** What it looked like, and what it looks like now: photos and files, the first ones from where it was found. */
export function ActionPhotos({ item, readOnly }: { item: Action; readOnly: boolean }) {
  const { t } = useTranslation('actions');
  const id = useId();
  const store = useStore();
  const adding = useAction(async (files: readonly File[]) => {
    for (const picked of files) {
      const file = await keptFile(store, picked);
      const kept = { actionId: item.id, file, by: store.owner, at: new Date().toISOString() };
      await store.write('action-items.attach', tx => attachFile(tx, kept));
    }
  });
  const photos = textsIn(item.media_ids);
  if (readOnly && photos.length === 0) return null;
  return (
    <Card className="stack" label={t('photos')}>
      <div className="row between wrap">
        <h2 className="h2">{t('photos')}</h2>
        {!readOnly && (
          <Button size="sm" icon={Camera} busy={adding.busy} onClick={() => document.getElementById(id)?.click()}>
            {t('addPhoto')}
          </Button>
        )}
      </div>
      {!readOnly && (
        <input
          id={id}
          className="sr"
          type="file"
          multiple
          tabIndex={-1}
          aria-label={t('addPhoto')}
          onChange={event => {
            // The list is live, and emptied with the field.
            const picked = [...(event.target.files ?? [])];
            event.target.value = '';
            adding.run(picked);
          }}
        />
      )}
      {photos.length > 0 && (
        <div className="photo-grid">
          {photos.map((photo, index) => (
            <PhotoView key={photo} mediaId={photo} label={t('photoOf', { number: index + 1, title: item.title })} />
          ))}
        </div>
      )}
      <FailureLine failure={adding.failure} invalid={t('photoRefused')} />
    </Card>
  );
}
