import { Eye, WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CircleEntry } from '@cairn/core/support-circle/queries.ts';
import { accessLog, type AccessLogEntry } from '@cairn/core/support-circle/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { formatDay, formatTime } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useCircleLabels } from './circle-labels.ts';

const PAGE = 10;
const MAX_ENTRIES = 500;

/** Who looked at what, and when; what was read offline has both times. */
export function AccessLog({ helpers }: { helpers: readonly CircleEntry[] }) {
  const { t } = useTranslation('circle');
  const { user } = useSignedIn();
  const found = useLive(accessLog(user.id, MAX_ENTRIES));
  const reads = found.status === 'ready' ? found.answer : [];
  const { shown, more } = useMoreRows(reads, { first: PAGE, step: PAGE * 4 });
  const names = new Map(helpers.map(({ relationship }) => [relationship.id, relationship.helper_name]));
  return (
    <Card flush label={t('log.title')}>
      <CardHead title={t('log.title')} />
      <p className="muted sm circle-pad">{t(reads.length === 0 ? 'log.none' : 'log.text')}</p>
      <List>
        {shown.map(look => (
          <LogRow key={look.read.id} look={look} name={names.get(look.read.relationship_id) ?? t('log.former')} />
        ))}
      </List>
      <MoreRows more={more} label={t('log.more')} />
    </Card>
  );
}

function LogRow({ look: { read, items }, name }: { look: AccessLogEntry; name: string }) {
  const { t } = useTranslation('circle');
  const words = useCircleLabels();
  const at = new Date(read.read_at);
  const arrived = new Date(read.received_at);
  const when = `${formatDay(at)}, ${formatTime(at)}`;
  return (
    <li className="item">
      <RowFace
        start={<Icon of={read.offline ? WifiOff : Eye} size="s" />}
        title={t(read.brief_id ? 'log.brief' : 'log.row', { name, what: words.sees({ ...read, items, until: null }) })}
        detail={
          read.offline
            ? t('log.offline', { when, arrived: `${formatDay(arrived)}, ${formatTime(arrived)}` })
            : read.times > 1
              ? t('log.often', { when, times: read.times })
              : when
        }
      />
    </li>
  );
}
