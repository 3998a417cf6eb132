import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { readCatalogue, MOST_CATALOGUE_LETTERS, type CatalogueResult } from '@cairn/core/controls/oscal-catalogue.ts';
import { takeFramework } from '@cairn/core/controls/take-framework.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { Sheet } from '@cairn/ui/dialog.tsx';
import { FileDrop } from '@cairn/ui/file-drop.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { useSpace } from '../../shared/space.ts';
import { useAction } from '../../shared/use-action.ts';
import { FailureLine } from '../../shared/failure-line.tsx';

/** Reads an OSCAL catalogue, shows what is in it, and takes it over with all its controls. */
export function BringSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('controls');
  const { organization } = useSpace();
  const store = useStore();
  const [read, setRead] = useState<CatalogueResult | null>(null);
  const catalogue = read?.ok ? read.catalogue : null;
  const taking = useAction(async () => {
    if (!catalogue) return;
    const whole = { id: newId(), organizationId: organization.id, catalogue };
    await store.write('controls.take', tx => takeFramework(tx, whole), { together: true });
    toast({ title: t('bring.done', { title: catalogue.title }) });
    onClose();
  });
  return (
    <Sheet open onOpenChange={open => !open && onClose()} title={t('bring.title')} closeLabel={t('close')}>
      <div className="parts foot-room controls">
        <FileDrop
          label={t('bring.pick')}
          hint={t('bring.hint')}
          accept=".json,application/json"
          maxBytes={MOST_CATALOGUE_LETTERS}
          multiple={false}
          onFiles={([file]) => void file?.text().then(text => setRead(readCatalogue(text)))}
          onRefused={([first]) => setRead({ ok: false, problem: first?.reason === 'size' ? 'too_large' : 'not_oscal' })}
          error={read && !read.ok ? t(`bring.problem.${read.problem}`) : undefined}
        />
        {catalogue && (
          <Banner tone="good" title={catalogue.title}>
            {t('bring.found', {
              count: catalogue.controls.length,
              families: t('bring.families', { count: catalogue.families }),
            })}
          </Banner>
        )}
        <FailureLine failure={taking.failure} />
        <Button variant="primary" disabled={!catalogue} busy={taking.busy} onClick={() => taking.run()}>
          {t('bring.take')}
        </Button>
      </div>
    </Sheet>
  );
}
