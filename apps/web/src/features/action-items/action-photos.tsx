import { useTranslation } from 'react-i18next';
import { Camera, Paperclip } from 'lucide-react';
import { textsIn } from '@cairn/base/texts-in.ts';
import { attachFile } from '@cairn/core/action-items/attach-file.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { PickTile } from '@cairn/ui/controls/pick-tile.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { toNewFile } from '../../shared/media/to-new-file.ts';
import { PhotoView } from '../../shared/media/photo-view.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import type { Action } from './action-screen-queries.ts';

/** What it looked like, and what it looks like now: photos and files, the first ones from where it was found. */
export function ActionPhotos({ item, readOnly }: { item: Action; readOnly: boolean }) {
  const { t } = useTranslation('actions');
  const store = useStore();
  const adding = useAction(async (files: readonly File[]) => {
    for (const picked of files) {
      const file = await toNewFile(store, picked);
      const kept = { actionId: item.id, file, by: store.owner, at: new Date().toISOString() };
      await store.write('action-items.attach', tx => attachFile(tx, kept));
    }
  });
  const photos = textsIn(item.media_ids);
  if (readOnly && photos.length === 0) return null;
  return (
    <Card className="stack" label={t('photos')}>
      <h2 className="h2">{t('photos')}</h2>
      <div className="photo-grid">
        {photos.map((photo, index) => (
          <PhotoView key={photo} mediaId={photo} label={t('photoOf', { number: index + 1, title: item.title })} />
        ))}
        {!readOnly && (
          <>
            <PickTile label={t('takePhoto')} icon={Camera} accept="image/*" capture onPick={adding.run} />
            <PickTile label={t('addFile')} icon={Paperclip} multiple onPick={adding.run} />
          </>
        )}
      </div>
      <FailureLine failure={adding.failure} invalid={t('photoRefused')} />
    </Card>
  );
}
