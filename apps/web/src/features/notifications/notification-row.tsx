import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Bell, ClipboardCheck, Flag, Mail, MailOpen, RefreshCw, ShieldCheck, Users } from 'lucide-react';
import { moduleName } from '@cairn/core/notifications/module-names.ts';
import { sentenceOf } from '@cairn/core/notifications/sentences.ts';
import type { Row } from '@cairn/schema';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Icon, type IconComponent } from '@cairn/ui/controls/icon.tsx';
import { RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';

const ICONS: Record<string, IconComponent> = {
  'action-items': Flag,
  field: ClipboardCheck,
  sync: RefreshCw,
  security: ShieldCheck,
  people: Users,
};

/** The sentence of a notification in the language spoken now. */
export function useSentence(): (row: Row<'notifications'>) => string {
  const { i18n } = useTranslation();
  const params = ({ params: known }: Row<'notifications'>) =>
    typeof known === 'object' && known !== null && !Array.isArray(known) ? known : {};
  return row => sentenceOf(row.type, params(row), i18n.language);
}

type Props = {
  row: Row<'notifications'>;
  now: Date;
  onMark: (isRead: boolean) => void;
  renderLink: (row: Row<'notifications'>, face: ReactNode) => ReactNode;
};

/** One thing that was told: the way to its record, and beside it whether it was read. */
export function NotificationRow({ row, now, onMark, renderLink }: Props) {
  const { t, i18n } = useTranslation('notifications');
  const { daysBetween, formatDay, formatTime } = useFormat();
  const what = useSentence()(row);
  const told = new Date(row.created_at);
  const when = daysBetween(told, now) === 0 ? formatTime(told) : formatDay(told, now);
  const face = (
    <RowFace
      start={
        <RowIcon tone={row.is_read ? 'neutral' : 'accent'}>
          <Icon of={ICONS[row.module] ?? Bell} />
        </RowIcon>
      }
      title={
        <>
          {!row.is_read && <span className="sr">{t('isUnread')}: </span>}
          {what}
        </>
      }
      detail={`${moduleName(row.module, i18n.language)} · ${when}`}
    />
  );
  return (
    <div className={`told${row.is_read ? '' : ' unread'}`}>
      {renderLink(row, face)}
      <IconButton
        icon={row.is_read ? Mail : MailOpen}
        label={t(row.is_read ? 'unread' : 'read', { what })}
        onClick={() => onMark(!row.is_read)}
      />
    </div>
  );
}
