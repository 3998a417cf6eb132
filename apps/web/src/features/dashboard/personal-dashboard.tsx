import type { ReactNode } from 'react';
import type { DashboardView, Widget } from '@cairn/core/dashboard/widgets.ts';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../shared/format/use-now.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { Waiting } from './company-dashboard.tsx';
import { DashboardFrame } from './dashboard-frame.tsx';
import { PersonalTiles } from './dashboard-tiles.tsx';
import { emailName } from './first-name.ts';
import { TodayCard } from './today-card.tsx';
import { useWork, useWorkElsewhere } from './use-dashboard.ts';
import { useDashboardSettings } from './use-settings.ts';
import { WeekCard } from './week-card.tsx';
import type { PersonalWork, WorkElsewhere } from './work-queries.ts';
import './dashboard.css';

type Props = {
  /** The progress of the first run; null where there is none to show. */
  journey: ReactNode;
  /** The growth areas of this playbook. */
  growth: ReactNode;
  /** How are you, in two taps. */
  checkIn: ReactNode;
  /** Today's habits. */
  habits: ReactNode;
  /** Goals on the way. */
  goals: ReactNode;
  /** Opens an organisation, so that a duty of it opens inside it. */
  onOpen: (organizationId: string) => void;
};

/** The personal playbook's first screen: one's own day and the duties of work in one list, each saying who sees it. */
export function PersonalDashboard({ journey, growth, checkIn, habits, goals, onOpen }: Props) {
  const { t } = useTranslation('dashboard');
  const { user } = useSignedIn();
  const now = useNow();
  const work = useWork(now);
  const elsewhere = useWorkElsewhere(now);
  const settings = useDashboardSettings();
  const head = { greeting: t('personal.greeting', { name: emailName(user) }), subtitle: t('personal.subtitle') };
  if (!work || !elsewhere || !settings) return <Waiting {...head} />;
  const parts = { work, elsewhere, now, journey, growth, checkIn, habits, goals, onOpen };
  return (
    <DashboardFrame
      {...head}
      world="personal"
      settings={settings}
      widget={(name, view) => personalWidget(name, view, parts)}
    />
  );
}

type Parts = Props & { work: PersonalWork; elsewhere: readonly WorkElsewhere[]; now: Date };

function personalWidget(name: Widget, view: DashboardView, parts: Parts): ReactNode {
  const { work, elsewhere, now, journey, growth, checkIn, habits, goals, onOpen } = parts;
  if (name === 'journey') return journey;
  if (name === 'growth') return growth;
  if (name === 'checkIn') return checkIn;
  if (name === 'habits') return habits;
  if (name === 'goals') return goals;
  if (name === 'tiles') return <PersonalTiles work={work} now={now} />;
  if (name !== 'duties') return null;
  if (view === 'week') return <WeekCard now={now} />;
  return <TodayCard work={work} now={now} elsewhere={elsewhere} onOpen={onOpen} />;
}
