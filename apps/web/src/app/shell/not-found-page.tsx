import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/button.tsx';
import { StateBlock } from '@cairn/ui/state-block.tsx';

/** What an address leads to that a server or an old link can produce, and nothing is there (R2.22). */
export function NotFoundPage({ path }: { path: string }) {
  const { t } = useTranslation('shell');
  return (
    <main className="alone">
      <StateBlock
        state="not-found"
        level={1}
        title={t('notFound.title')}
        action={
          <Link to="/" className={buttonClass({ variant: 'primary' })}>
            {t('notFound.home')}
          </Link>
        }
        details={{ label: t('error.details'), text: path }}
      >
        {t('notFound.text')}
      </StateBlock>
    </main>
  );
}
