import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { usePreferences } from '../../shared/session/preferences.ts';

/** What others can see of this person, as their preferences and the product's rules have it; also without signal. */
export function SeenCard({ renderChangeLink }: { renderChangeLink: (words: string) => ReactNode }) {
  const { t } = useTranslation('security');
  const { preferences } = usePreferences();
  return (
    <Card label={t('seen.title')} className="security-card">
      <h2 className="h2">{t('seen.title')}</h2>
      <ul className="seen">
        <li>{t(`seen.profile.${preferences.profile_visibility}`)}</li>
        <li>{t(preferences.show_activity_status ? 'seen.activity.on' : 'seen.activity.off')}</li>
        <li>{t('seen.work')}</li>
        <li>{t('seen.private')}</li>
      </ul>
      <div className="row wrap">
        {renderChangeLink(t('seen.change'))}
        {renderChangeLink(t('seen.export'))}
      </div>
    </Card>
  );
}
