import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { localDay } from '@cairn/base/local-day.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { useOpenedAtOnce } from '../../shared/page/use-opened-at-once.ts';
import { colleagues } from '@cairn/core/spaces/colleagues.ts';
import { actionLists, type ActionLists } from './action-screen-queries.ts';
import { ActionRows } from './action-rows.tsx';
import { NewAction } from './new-action.tsx';
import { Proposals } from './proposals.tsx';
import './actions.css';

type View = 'mine' | 'all' | 'closed';
const VIEWS: readonly View[] = ['mine', 'all', 'closed'];

type Props = {
  /** The heading: what the open playbook calls this module. */
  title: string;
  /** Opens an empty action item at once; told when it has, so that neither a reload nor the way back does it again. */
  makeAtOnce: boolean;
  onMaking: () => void;
  renderAction: (id: string, face: ReactNode) => ReactNode;
  onMade: (id: string) => void;
};

/** The corrective work: what is open, late first, and what is closed. */
export function ActionsScreen({ title, makeAtOnce, onMaking, renderAction, onMade }: Props) {
  const { t } = useTranslation('actions');
  const { organization, playbook, may } = useSpace();
  const { user } = useSignedIn();
  const now = useNow();
  const asOf = may('action.manage') ? `${localDay(now)}T12:00:00Z` : null;
  const lists = useLive(actionLists({ organizationId: organization.id, playbookId: playbook?.id ?? null }, asOf));
  const people = useLive(colleagues(organization.id));
  const [view, setView] = useState<View>('all');
  const [making, setMaking] = useOpenedAtOnce(makeAtOnce, onMaking);
  const rows = lists.status === 'ready' ? rowsOf(lists.answer, view, user.id) : [];
  const names = new Map(people.status === 'ready' ? people.answer.map(person => [person.id, person.name]) : []);
  const make = may('action.create') && (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t('new')}
    </Button>
  );
  return (
    <div>
      <div className="page-head">
        <h1 className="h1">{title}</h1>
        {make}
      </div>
      <div className="action-tools">
        <Segmented
          label={t('views.label')}
          value={view}
          onChange={value => setView(VIEWS.find(each => each === value) ?? 'all')}
          options={VIEWS.map(value => ({ value, label: t(`views.${value}`) }))}
        />
      </div>
      {lists.status === 'ready' && lists.answer.proposals.length > 0 && (
        <Proposals
          proposals={lists.answer.proposals}
          people={people.status === 'ready' ? people.answer : []}
          renderAction={renderAction}
        />
      )}
      {lists.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {lists.status === 'ready' && rows.length > 0 && (
        <ActionRows
          key={view}
          rows={rows}
          names={names}
          assets={lists.answer.assets}
          now={now}
          renderAction={renderAction}
          label={t(`views.${view}`)}
        />
      )}
      {lists.status === 'ready' && rows.length === 0 && (
        <EmptyState title={t(`empty.${view}`)}>{t(`empty.${view}Text`)}</EmptyState>
      )}
      {making && may('action.create') && (
        <NewAction
          people={people.status === 'ready' ? people.answer : []}
          onClose={() => setMaking(false)}
          onMade={onMade}
        />
      )}
    </div>
  );
}

function rowsOf({ open, closed }: ActionLists, view: View, userId: string) {
  if (view === 'closed') return closed;
  return view === 'mine' ? open.filter(row => row.assignee_id === userId) : open;
}
