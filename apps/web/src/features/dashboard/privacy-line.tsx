import { Building2, Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { useSpace } from '../../shared/session/space.ts';

/** Says who sees the rows below it: nobody but oneself, or an organisation. @param name of another organisation */
export function PrivacyLine({ name }: { name?: string }) {
  const { t } = useTranslation('dashboard');
  const { organization } = useSpace();
  const self = name === undefined && organization.kind === 'private';
  return (
    <p className="privacy-line">
      <Icon of={self ? Lock : Building2} size="s" />
      {name !== undefined ? t('privacy.named', { name }) : t(self ? 'privacy.self' : 'privacy.organisation')}
    </p>
  );
}
