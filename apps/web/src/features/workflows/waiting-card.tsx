import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Stamp } from 'lucide-react';
import { waitingApprovals, type WaitingApproval } from '@cairn/core/approvals/approvals.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, CardHead, List, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';

type Props = { renderWaiting: (path: string, face: ReactNode) => ReactNode };

/** What waits for the person's decision, and in whose name; nothing where nothing waits. */
export function WaitingCard({ renderWaiting }: Props) {
  const { t } = useTranslation('workflows');
  const { organization, userId } = useSpace();
  const now = useNow();
  const live = useLive(waitingApprovals({ organizationId: organization.id, userId, now: now.toISOString() }));
  if (live.status !== 'ready' || live.answer.length === 0) return null;
  return (
    <Card flush label={t('waiting.title')}>
      <CardHead title={t('waiting.title')} />
      <List>
        {live.answer.map(each => (
          <li key={each.request.id}>{renderWaiting(each.request.path, <Face waiting={each} />)}</li>
        ))}
      </List>
    </Card>
  );
}

function Face({ waiting: { request, parts, requesterName } }: { waiting: WaitingApproval }) {
  const { t } = useTranslation('workflows');
  const { userId } = useSpace();
  const { formatDay } = useFormat();
  const absent = parts.filter(({ approverId }) => approverId !== userId);
  const forWhom = absent.map(({ name }) => t('waiting.for', { name: name ?? t('somebody') }));
  const when = formatDay(new Date(request.requested_at));
  const asked =
    requesterName === null ? t('waiting.asked', { when }) : t('waiting.askedBy', { name: requesterName, when });
  return (
    <RowFace
      start={
        <RowIcon tone="accent">
          <Icon of={Stamp} />
        </RowIcon>
      }
      title={request.title}
      detail={[...forWhom, asked].join(' · ')}
      end={<StatusChip state="review">{t('waiting.state')}</StatusChip>}
    />
  );
}
