import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { readCatalogue, MAX_CATALOGUE_CHARS, type CatalogueResult } from '@cairn/core/controls/oscal-catalogue.ts';
import { CONTROLS_AT_ONCE, partsOf, takeFramework } from '@cairn/core/controls/take-framework.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { formatNumber } from '../../shared/format/format.ts';
import { textOfFile } from '../../shared/files/unless-stalled.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

/** Reads an OSCAL catalogue, shows what is in it, and takes it over with all its controls. */
export function BringSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('controls');
  const { organization } = useSpace();
  const store = useStore();
  const [read, setRead] = useState<CatalogueResult | null>(null);
  const catalogue = read?.ok ? read.catalogue : null;
  // Kept: what broke off goes on in the same framework.
  const [id, setId] = useState(newId);
  const [done, setDone] = useState(0);
  const reading = useAction(async (file: File) => {
    setRead(readCatalogue(await textOfFile(file), file.name));
    setId(newId());
    setDone(0);
  });
  const taking = useAction(async () => {
    if (!catalogue) return;
    const whole = { id, organizationId: organization.id, catalogue };
    for (let part = done; part < partsOf(catalogue); part += 1) {
      await store.write('controls.take', tx => takeFramework(tx, whole, part), { together: true });
      setDone(part + 1);
    }
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
          maxBytes={MAX_CATALOGUE_CHARS}
          multiple={false}
          onFiles={([file]) => file && reading.run(file)}
          onRefused={([first]) =>
            first?.reason === 'size' ? setRead({ ok: false, problem: 'too_large' }) : first && reading.run(first.file)
          }
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
        {catalogue && taking.busy && partsOf(catalogue) > 1 && (
          <ProgressBar
            label={t('bring.taking')}
            figure={formatNumber(Math.min(catalogue.controls.length, done * CONTROLS_AT_ONCE))}
            value={done}
            max={partsOf(catalogue)}
          />
        )}
        <FailureLine failure={reading.failure ?? taking.failure} />
        <Button variant="primary" disabled={!catalogue} busy={taking.busy} onClick={() => taking.run()}>
          {t('bring.take')}
        </Button>
      </div>
    </Sheet>
  );
}
