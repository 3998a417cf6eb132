import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { avatarFile, setAvatar } from '@cairn/core/profile/set-avatar.ts';
import { useStore } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { failureText } from '../../shared/failure-text.ts';
import { OwnPicture } from '../../shared/own-picture.tsx';
import { useChangePreferences, usePreferences } from '../../shared/preferences.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { squarePicture } from './square-picture.ts';
import { useSaid } from './use-said.ts';

/** One's own picture: chosen, cut square and kept here at once; it is sent like any photo. */
export function PictureCard() {
  const { t } = useTranslation('profile');
  const { t: tFailure } = useTranslation('failure');
  const { preferences } = usePreferences();
  const input = useRef<HTMLInputElement>(null);
  const choosing = useChoose();
  const removing = useRemove();
  const has = avatarFile(preferences.custom_avatar_url) !== null;
  const failure = choosing.failure ?? removing.failure;
  return (
    <Card label={t('picture.title')} className="profile-form">
      <h2 className="h2">{t('picture.title')}</h2>
      <div className="profile-picture">
        <OwnPicture size="l" />
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
    </Card>
  );
}

function useChoose() {
  const store = useStore();
  const { user } = useSignedIn();
  const change = useChangePreferences();
  const said = useSaid();
  const choose = useCallback(
    async (file: File) => {
      const picture = { id: newId(), ...(await squarePicture(file)) };
      const at = new Date().toISOString();
      const back = await store.write('profile.picture', tx => setAvatar(tx, { userId: user.id, picture, at }));
      said(() => change(back));
    },
    [store, user.id, change, said],
  );
  return useAction(choose);
}

function useRemove() {
  const change = useChangePreferences();
  const said = useSaid();
  const remove = useCallback(async () => {
    const back = await change({ custom_avatar_url: null });
    said(() => change(back));
  }, [change, said]);
  return useAction(remove);
}
