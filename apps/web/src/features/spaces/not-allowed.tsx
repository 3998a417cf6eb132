import { useTranslation } from 'react-i18next';
import { StateBlock } from '@cairn/ui/state-block.tsx';

/** A screen of administrators, opened by somebody else. */
export function NotAllowed() {
  const { t } = useTranslation('spaces');
  return (
    <StateBlock state="not-allowed" level={1} title={t('server.notAllowed')}>
      {t('server.notAllowedText')}
    </StateBlock>
  );
}
