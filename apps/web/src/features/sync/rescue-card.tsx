import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/button.tsx';
import { Sheet } from '@cairn/ui/dialog.tsx';
import { Card } from '@cairn/ui/surface.tsx';
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
          {waiting && <Button onClick={() => setOpen('pack')}>{t('pack')}</Button>}
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
