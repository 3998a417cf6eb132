import { useState, type ReactNode } from 'react';
import { Lock, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { goalsCsv } from '@cairn/core/goals/export-goals.ts';
import { goals, goalSections, goalsToExport, type GoalSummary } from '@cairn/core/goals/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { CsvExport } from '../../shared/files/csv-export.tsx';
import { useToday } from '../../shared/format/use-today.ts';
import { GoalFace } from './goal-face.tsx';
import { GoalForm } from './goal-form.tsx';
import './goals.css';

type Props = {
  title: string;
  renderTitle: (id: string, title: string) => ReactNode;
  onMade: (id: string) => void;
};

const NONE: readonly GoalSummary[] = [];

/** Every goal of a person: those on the way, paused ones, drafts, and what has ended. */
export function GoalsScreen({ title, renderTitle, onMade }: Props) {
  const { t } = useTranslation('goals');
  const store = useStore();
  const today = useToday();
  const found = useLive(goals(today));
  const [making, setMaking] = useState(false);
  const all = found.status === 'ready' ? found.answer : NONE;
  const { active, paused, drafts, ended } = goalSections(all);
  const csv = async () => goalsCsv(await store.read(goalsToExport));
  return (
    <div className="parts foot-room goals">
      <div className="page-head">
        <div>
          <h1 className="h1">{title}</h1>
          <p className="row sm muted">
            <Icon of={Lock} size="s" />
            {t('private')}
          </p>
        </div>
        <div className="row wrap">
          {all.length > 0 && <CsvExport label={t('export')} file="cairn-goals.csv" csv={csv} />}
          <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
            {t('form.new')}
          </Button>
        </div>
      </div>
      {found.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {found.status === 'ready' && all.length === 0 && (
        <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
      )}
      <Faces label={t('running')} all={active} today={today} renderTitle={renderTitle} />
      <Faces label={t('state.paused')} all={paused} today={today} renderTitle={renderTitle} />
      <Quiet label={t('drafts')} all={drafts} renderTitle={renderTitle} />
      <Quiet label={t('ended')} all={ended} renderTitle={renderTitle} />
      {making && <GoalForm onClose={() => setMaking(false)} onSaved={onMade} />}
    </div>
  );
}

type FacesProps = QuietProps & { today: string };

/** Goals with how far they are. */
function Faces({ label, all, today, renderTitle }: FacesProps) {
  if (all.length === 0) return null;
  return (
    <section className="parts" aria-label={label}>
      <h2 className="h2">{label}</h2>
      <ul className="goal-faces">
        {all.map(summary => (
          <GoalFace key={summary.goal.id} summary={summary} today={today} renderTitle={renderTitle} />
        ))}
      </ul>
    </section>
  );
}

type QuietProps = { label: string; all: readonly GoalSummary[]; renderTitle: Props['renderTitle'] };

/** Goals that ask for nothing: one line each. */
function Quiet({ label, all, renderTitle }: QuietProps) {
  const { t } = useTranslation('goals');
  if (all.length === 0) return null;
  return (
    <Card label={label} className="parts">
      <h2 className="h2">{label}</h2>
      <ul className="goal-lines">
        {all.map(({ goal }) => (
          <li key={goal.id}>
            <span className="grow">{renderTitle(goal.id, goal.title)}</span>
            <Pill>{t(`state.${goal.state}`)}</Pill>
          </li>
        ))}
      </ul>
    </Card>
  );
}
