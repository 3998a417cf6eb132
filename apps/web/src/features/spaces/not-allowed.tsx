import { useTranslation } from 'react-i18next';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';

/** A screen of administrators, or of customer support, opened by somebody else. */
export function NotAllowed({ whose = 'server' }: { whose?: 'server' | 'support' }) {
  const { t } = useTranslation('spaces');
  return (
    <StateBlock state="not-allowed" level={1} title={t(`${whose}.notAllowed`)}>
      {t(`${whose}.notAllowedText`)}
    </StateBlock>
  );
}
