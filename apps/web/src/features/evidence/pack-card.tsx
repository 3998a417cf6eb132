import { useTranslation } from 'react-i18next';
import { PackageCheck } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useEvidencePack, type PackSummary } from './use-evidence-pack.ts';

/** Everything accepted in one file, to hand to somebody who need not trust us. */
export function PackCard() {
  const { t } = useTranslation('evidence');
  const { mutate, isPending, isError, error, data, progress } = useEvidencePack();
  return (
    <Card label={t('pack.title')} className="parts evidence-card">
      <h2 className="h2">{t('pack.title')}</h2>
      <p className="muted sm">{t('pack.text')}</p>
      <div className="row">
        <Button icon={PackageCheck} busy={isPending} onClick={() => mutate()}>
          {t('pack.act')}
        </Button>
      </div>
      {progress !== null && progress.all > 0 && (
        <ProgressBar
          label={t('pack.fetching')}
          figure={t('pack.progress', progress)}
          value={progress.done}
          max={progress.all}
        />
      )}
      {isError && (
        <Banner tone="bad" title={t('pack.failed')}>
          {t(error instanceof Failure && error.code === 'invalid' ? 'pack.tooLarge' : 'pack.failedText')}
        </Banner>
      )}
      <div aria-live="polite">{data && <Made made={data} />}</div>
    </Card>
  );
}

function Made({ made: { hash, files, missing } }: { made: PackSummary }) {
  const { t } = useTranslation('evidence');
  return (
    <Banner tone={missing > 0 ? 'warn' : 'good'} title={t('pack.done', { count: files })}>
      {missing > 0 && <p>{t('pack.left', { count: missing })}</p>}
      <p className="mono evidence-hash">{t('pack.hash', { hash })}</p>
      <p>{t('pack.kept')}</p>
    </Banner>
  );
}
