import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { HEADINGS, useFocusAfter } from '../lists/use-focus-after.ts';
import { PackRescue } from './pack-rescue.tsx';
import { TakeRescue } from './take-rescue.tsx';

/** Unsent work as a file: to be saved, and to be opened again. @param waiting whether there is anything to save */
export function RescueCard({ waiting }: { waiting: boolean }) {
  const { t } = useTranslation('rescue');
  const [open, setOpen] = useState<'pack' | 'take' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('title')}</h2>
      </div>
      <Card className="stack" label={t('title')}>
        <p className="sm muted">{t('text')}</p>
        {!waiting && <p className="sm">{t('make.nothing')}</p>}
        <div className="row wrap">
          {waiting && <Pack onPress={() => setOpen('pack')} />}
          <Button onClick={() => setOpen('take')}>{t('open')}</Button>
        </div>
      </Card>
      {open === 'pack' && (
        <Sheet open onOpenChange={close} title={t('make.title')} description={t('make.text')} closeLabel={t('close')}>
          <PackRescue onSaved={close} />
        </Sheet>
      )}
      {open === 'take' && (
        <Sheet open onOpenChange={close} title={t('take.title')} closeLabel={t('close')}>
          <TakeRescue onDone={close} />
        </Sheet>
      )}
    </>
  );
}

/** Goes with the last of what waits: whoever stood on it since a file was saved stands at the page then. */
function Pack({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation('rescue');
  const place = useFocusAfter<HTMLDivElement>(HEADINGS.page);
  return (
    <div ref={place}>
      <Button onClick={onPress}>{t('pack')}</Button>
    </div>
  );
}
