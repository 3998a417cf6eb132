import { useCallback, type ReactNode } from 'react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Repeat, UsersRound, Waypoints } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { GoalScreen } from '../../features/goals/goal-screen.tsx';
import { GoalsScreen } from '../../features/goals/goals-screen.tsx';
import { HabitScreen } from '../../features/habits/habit-screen.tsx';
import { HabitsScreen } from '../../features/habits/habits-screen.tsx';
import { InsightsScreen } from '../../features/insights/insights-screen.tsx';
import { CircleScreen } from '../../features/support-circle/circle-screen.tsx';
import { JoinScreen } from '../../features/support-circle/join-screen.tsx';
import { PersonScreen } from '../../features/support-circle/person-screen.tsx';
import { TriadScreen } from '../../features/triad-intelligence/triad-screen.tsx';
import type { SourceLinks } from '../../features/triad-intelligence/brief-line-view.tsx';
import { EmployerScreen } from '../../features/wellness/employer-screen.tsx';
import { WellnessScreen } from '../../features/wellness/wellness-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useNotePorts } from '../session/ports/use-note-ports.ts';
import { useSharedCopies } from '../session/ports/use-shared-copies.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';
import { countersignPorts } from './countersign-ports.tsx';

// What is a person's own: goals, check-ins, habits, their circle. One file, because each file of routes costs the sign-in page its name.
export const texts = loadTexts(
  'goals',
  'wellness',
  'coach',
  'cohort',
  'habits',
  'circle',
  'countersign',
  // The field to sign in speaks as in an inspection.
  'field',
  'insights',
  'triad',
  'failure',
);

export function WellnessRoute() {
  const { t } = useTranslation('habits');
  const { continue: goesOn } = useSearch({ from: '/signed-in/wellness' });
  const navigate = useNavigate();
  const takenUp = useCallback(() => void navigate({ to: '/wellness', replace: true }), [navigate]);
  return (
    <WellnessScreen
      title={useModuleLabel('wellness')}
      ports={useNotePorts()}
      goesOn={goesOn === true}
      onTakenUp={takenUp}
      onBegun={inspectionId => void navigate({ to: '/field/$inspectionId', params: { inspectionId } })}
      employerLink={<EmployerLink />}
      habitsLink={
        <Link to="/wellness/habits" className={buttonClass()}>
          <Icon of={Repeat} />
          {t('title')}
        </Link>
      }
    />
  );
}

function EmployerLink() {
  const { t } = useTranslation('cohort');
  return (
    <Link to="/wellness/organisation" className={buttonClass()}>
      <Icon of={UsersRound} />
      {t('title')}
    </Link>
  );
}

export function EmployerRoute() {
  return <EmployerScreen backLink={<CheckInsLink />} />;
}

const renderHabit = (habitId: string, name: string) => (
  <Link to="/wellness/habits/$habitId" params={{ habitId }} className="link tap t">
    {name}
  </Link>
);

function CheckInsLink() {
  const { t } = useTranslation('habits');
  return (
    <Link to="/wellness" className="link tap back-link">
      {t('backWellness')}
    </Link>
  );
}

export function HabitsRoute() {
  return <HabitsScreen renderName={renderHabit} backLink={<CheckInsLink />} />;
}

function AllHabitsLink() {
  const { t } = useTranslation('habits');
  return (
    <Link to="/wellness/habits" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function HabitRoute() {
  const { habitId } = useParams({ from: '/signed-in/wellness/habits/$habitId' });
  const navigate = useNavigate();
  return (
    <HabitScreen
      key={habitId}
      habitId={habitId}
      backLink={<AllHabitsLink />}
      onRemoved={() => void navigate({ to: '/wellness/habits', replace: true })}
    />
  );
}

const renderPerson = (relationshipId: string, face: ReactNode) => (
  <Link to="/support-circle/$relationshipId" params={{ relationshipId }} className={rowClass}>
    {face}
  </Link>
);

function BriefsLink() {
  return (
    <Link to="/triad-intelligence" className={buttonClass()}>
      <Icon of={Waypoints} />
      {useTranslation('triad').t('link')}
    </Link>
  );
}

export function CircleRoute() {
  return (
    <CircleScreen title={useModuleLabel('support-circle')} renderPerson={renderPerson} briefsLink={<BriefsLink />} />
  );
}

function CircleLink() {
  const { t } = useTranslation('circle');
  return (
    <Link to="/support-circle" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function PersonRoute() {
  const { relationshipId } = useParams({ from: '/signed-in/support-circle/$relationshipId' });
  const navigate = useNavigate();
  return (
    <PersonScreen
      key={relationshipId}
      relationshipId={relationshipId}
      copies={useSharedCopies()}
      ports={countersignPorts}
      backLink={<CircleLink />}
      onEnded={() => void navigate({ to: '/support-circle', replace: true })}
    />
  );
}

export function JoinCircleRoute() {
  const { t } = useTranslation('circle');
  const { token } = useSearch({ from: '/signed-in/support-circle/join' });
  const { engine } = useSignedIn();
  const navigate = useNavigate();
  return (
    <JoinScreen
      token={token ?? ''}
      onAnswered={(relationship, name) => {
        toast({ title: relationship === null ? t('join.declined') : t('join.accepted', { name }) });
        engine.syncNow();
        void navigate({ to: '/support-circle', replace: true });
      }}
    />
  );
}

const renderGoal = (goalId: string, title: string) => (
  <Link to="/goals/$goalId" params={{ goalId }} className="link tap t">
    {title}
  </Link>
);

const renderAction = (actionId: string, title: string) => (
  <Link to="/action-items/$actionId" params={{ actionId }} className="link tap t">
    {title}
  </Link>
);

export function InsightsRoute() {
  return <InsightsScreen title={useModuleLabel('insights')} renderGoal={renderGoal} />;
}

const OWN_PLACES = {
  goals: '/goals',
  habits: '/wellness/habits',
  wellness: '/wellness',
  week: '/wellness',
  tasks: '/action-items',
} as const;

const briefLinks: SourceLinks = {
  renderOwn: (kind, words) => (
    <Link to={OWN_PLACES[kind]} className="link tap">
      {words}
    </Link>
  ),
  renderItem: (kind, id, title) =>
    kind === 'goals' ? renderGoal(id, title) : kind === 'habits' ? renderHabit(id, title) : renderAction(id, title),
  renderPerson: (relationshipId, words) => (
    <Link to="/support-circle/$relationshipId" params={{ relationshipId }} className="link tap">
      {words}
    </Link>
  ),
};

function ToCircleLink() {
  const { t } = useTranslation('triad');
  return (
    <Link to="/support-circle" className={buttonClass()}>
      <Icon of={UsersRound} />
      {t('circleLink')}
    </Link>
  );
}

export function TriadRoute() {
  return <TriadScreen title={useModuleLabel('triad-intelligence')} links={briefLinks} circleLink={<ToCircleLink />} />;
}

function AllGoals() {
  const navigate = useNavigate();
  return (
    <GoalsScreen
      title={useModuleLabel('goals')}
      renderTitle={renderGoal}
      onMade={goalId => void navigate({ to: '/goals/$goalId', params: { goalId } })}
    />
  );
}

function AllGoalsLink() {
  const { t } = useTranslation('goals');
  return (
    <Link to="/goals" className="link tap back-link">
      {t('all')}
    </Link>
  );
}

/** With the id of one in the address that goal, else all of them. */
export function GoalRoute() {
  const { goalId } = useParams({ strict: false });
  const navigate = useNavigate();
  if (goalId === undefined) return <AllGoals />;
  return (
    <GoalScreen
      key={goalId}
      goalId={goalId}
      backLink={<AllGoalsLink />}
      renderGoal={renderGoal}
      renderHabit={renderHabit}
      renderAction={renderAction}
      onLeft={next =>
        void (next === null
          ? navigate({ to: '/goals', replace: true })
          : navigate({ to: '/goals/$goalId', params: { goalId: next }, replace: true }))
      }
    />
  );
}
