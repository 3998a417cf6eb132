import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { InboxPanel } from './inbox-panel.tsx';
import { NotificationChoices } from './notification-choices.tsx';
import './notifications.css';

export type NotificationsView = 'inbox' | 'settings';

type Props = {
  view: NotificationsView;
  onView: (view: NotificationsView) => void;
  renderLink: ComponentProps<typeof InboxPanel>['renderLink'];
};

/** What the person was told, and how they want to be told. */
export function NotificationsScreen({ view, onView, renderLink }: Props) {
  const { t } = useTranslation('notifications');
  return (
    <div className="parts">
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
      </div>
      <Segmented
        label={t('views.label')}
        value={view}
        onChange={value => onView(value === 'settings' ? 'settings' : 'inbox')}
        options={[
          { value: 'inbox', label: t('views.inbox') },
          { value: 'settings', label: t('views.settings') },
        ]}
      />
      {view === 'settings' ? <NotificationChoices /> : <InboxPanel renderLink={renderLink} />}
    </div>
  );
}
