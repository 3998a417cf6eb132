import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { avatarFile, setAvatar } from '@cairn/core/profile/set-avatar.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { CropArea } from '@cairn/ui/images/crop-image.ts';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { failureText } from '../../shared/errors/failure-text.ts';
import { OwnPicture } from '../../shared/media/own-picture.tsx';
import { useChangePreferences, usePreferences } from '../../shared/session/preferences.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { CutDialog } from './cut-dialog.tsx';
import { readablePicture, squarePicture } from './square-picture.ts';
import { useSavedProfileToast } from './use-saved-profile-toast.ts';

/** One's own picture: chosen, cut square and kept here at once; it is sent like any photo. */
export function PictureCard() {
  const { t } = useTranslation('profile');
  const { t: tFailure } = useTranslation('failure');
  const { preferences } = usePreferences();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  const choosing = useAction(useCallback(async (file: File) => setChosen(await readablePicture(file)), []));
  const cutting = useCut(useCallback(() => setChosen(null), []));
  const removing = useRemove();
  const has = avatarFile(preferences.custom_avatar_url) !== null;
  const failure = choosing.failure ?? cutting.failure ?? removing.failure;
  return (
    <Card label={t('picture.title')} className="parts">
      <h2 className="h2">{t('picture.title')}</h2>
      <div className="profile-picture">
        <OwnPicture size="xl" />
        <div className="stack">
          <div className="row wrap">
            <Button busy={choosing.busy} onClick={() => input.current?.click()}>
              {t(has ? 'picture.change' : 'picture.choose')}
            </Button>
            {has && (
              <Button variant="plain" onClick={() => removing.run()}>
                {t('picture.remove')}
              </Button>
            )}
          </div>
          <p className="hint">{t('picture.hint')}</p>
          {failure && (
            <p className="err" role="alert">
              {failure.code === 'invalid' ? t('picture.bad') : tFailure(failureText[failure.code])}
            </p>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        className="sr"
        tabIndex={-1}
        aria-label={t('picture.choose')}
        onChange={event => {
          const file = event.target.files?.[0];
          // The same file may be chosen again after a failure.
          event.target.value = '';
          if (file) choosing.run(file);
        }}
      />
      {chosen && (
        <CutDialog
          file={chosen}
          busy={cutting.busy}
          onCut={area => cutting.run(chosen, area)}
          onClose={() => setChosen(null)}
        />
      )}
    </Card>
  );
}

function useCut(done: () => void) {
  const store = useStore();
  const { user } = useSignedIn();
  const change = useChangePreferences();
  const toastSaved = useSavedProfileToast();
  const cut = useCallback(
    async (file: File, area: CropArea) => {
      const picture = { id: newId(), ...(await squarePicture(file, area)) };
      const at = new Date().toISOString();
      const back = await store.write('profile.picture', tx => setAvatar(tx, { userId: user.id, picture, at }));
      done();
      toastSaved(() => change(back));
    },
    [store, user.id, change, toastSaved, done],
  );
  return useAction(cut);
}

function useRemove() {
  const change = useChangePreferences();
  const toastSaved = useSavedProfileToast();
  const remove = useCallback(async () => {
    const back = await change({ custom_avatar_url: null });
    toastSaved(() => change(back));
  }, [change, toastSaved]);
  return useAction(remove);
}
