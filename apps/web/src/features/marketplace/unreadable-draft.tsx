import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readContents } from '@cairn/core/marketplace/pack-contents.ts';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { savePackFile } from './pack-file.ts';

type Props = { pack: Pack; version: PackVersion; onAnew: () => void };

/** A draft whose contents cannot be shown: they stay as they are until somebody says otherwise. */
export function UnreadableDraft({ pack, version, onAnew }: Props) {
  const { t } = useTranslation('marketplace');
  const [asking, setAsking] = useState(false);
  const { number, contents } = version;
  const read = readContents(contents);
  const why = read.ok ? '' : t(`problem.${read.fault}`);
  return (
    <>
      <header className="page-head">
        <h1 className="h1">{t('write.heading', { name: pack.name, number })}</h1>
      </header>
      <Banner
        tone="bad"
        title={t('unreadable.title')}
        action={
          <>
            <Button onClick={() => savePackFile(pack.name, number, contents)}>{t('desk.save')}</Button>
            <Button onClick={() => setAsking(true)}>{t('unreadable.anew')}</Button>
          </>
        }
      >
        <p>{why}</p>
        <p>{t('unreadable.text')}</p>
      </Banner>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('unreadable.anewTitle', { number })}
        confirmLabel={t('unreadable.anew')}
        cancelLabel={t('unreadable.cancel')}
        onConfirm={onAnew}
        danger
      >
        {t('unreadable.anewText')}
      </Confirm>
    </>
  );
}
