import { useTranslation } from 'react-i18next';
import { Card, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useNow } from '../../../shared/format/use-now.ts';
import type { PolicyOnScreen, PolicyLinks } from './policy-links.ts';
import { numberOf } from './policy-labels.ts';

type Props = PolicyOnScreen & Pick<PolicyLinks, 'renderVersion'>;

/** Every version that was ever in force; each opens. */
export function VersionsCard({ opened: { published, policy }, renderVersion }: Props) {
  const { t } = useTranslation('policies');
  const { formatDay } = useFormat();
  const now = useNow();
  if (published.length === 0) return null;
  return (
    <Card flush label={t('versions.title')}>
      <h2 className="h2 policy-card-title">{t('versions.title')}</h2>
      <List>
        {published.map(version => {
          const day = version.published_at === null ? null : formatDay(new Date(version.published_at), now);
          const current =
            version.id === policy.current_version_id && policy.state === 'published' && t('versions.current');
          return (
            <li key={version.id}>
              {renderVersion(
                version.id,
                <RowFace
                  title={t('version', { number: numberOf(version) })}
                  detail={[day, version.changelog, current].filter(Boolean).join(' · ')}
                />,
                true,
              )}
            </li>
          );
        })}
      </List>
    </Card>
  );
}
