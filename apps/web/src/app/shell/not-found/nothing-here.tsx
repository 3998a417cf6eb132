import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';

/** One sentence for an address that leads to nothing, or to nothing of this person's, and one way back. */
export function NothingHere() {
  const { t } = useTranslation('shell');
  const path = useLocation({ select: location => location.pathname });
  return (
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
  );
}
