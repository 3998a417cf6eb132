import { useTranslation } from 'react-i18next';
import type { CirclePage } from '@cairn/core/support-circle/queries.ts';
import { sessionPage } from '@cairn/core/support-circle/sessions.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatTime } from '../../shared/format/format.ts';

const SHOWN = 20;

/** "Sam for Pia: …", the newest first; nothing where nobody acted. */
export function ActsCard({ page: { relationship } }: { page: CirclePage }) {
  const { t } = useTranslation('circle');
  const found = useLive(sessionPage(relationship.id));
  const acts = found.status === 'ready' ? found.answer.acts : [];
  if (acts.length === 0) return null;
  const names = {
    helper: relationship.helper_name ?? t('unnamed'),
    subject: relationship.subject_name ?? t('unnamed'),
  };
  return (
    <Card label={t('acting.log')} className="parts">
      <h2 className="h2">{t('acting.log')}</h2>
      <ul className="circle-steps">
        {acts.slice(0, SHOWN).map(({ id, act, title, at }) => (
          <li key={id}>
            <span className="sm">{t(`acting.did.${act}`, { ...names, title })}</span>{' '}
            <span className="muted xs">{`${formatDay(new Date(at))}, ${formatTime(new Date(at))}`}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
