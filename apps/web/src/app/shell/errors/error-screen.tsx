import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import './error-screen.css';

type Props = { error: unknown; onRetry: () => void; way: ReactNode };

/** What a person sees when a screen broke (R2.28): a sentence, two ways on, and what a developer needs below. */
export function ErrorScreen({ error, onRetry, way }: Props) {
  const { t } = useTranslation('shell');
  return (
    <div className="broken" role="alert">
      <EmptyState
        level={1}
        title={t('error.title')}
        action={
          <div className="row wrap broken-acts">
            <Button variant="primary" onClick={onRetry}>
              {t('error.retry')}
            </Button>
            {way}
          </div>
        }
      >
        {t('error.text')}
      </EmptyState>
      <details>
        <summary>{t('error.details')}</summary>
        <pre className="mono">{detailOf(error)}</pre>
      </details>
    </div>
  );
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.stack?.includes(error.message) ? error.stack : `${error.name}: ${error.message}\n${error.stack ?? ''}`;
}
