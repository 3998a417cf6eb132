import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { actionItem, type OpenedActionItem } from '@cairn/core/action-items/queries.ts';
import { isEnded } from '@cairn/core/action-items/action-status.ts';
import { colleagues, type Colleague } from '@cairn/core/spaces/colleagues.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { RecordPage } from '../../shared/records/record-page.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { ActionDetails } from './action-details.tsx';
import { ActionMoves } from './action-moves.tsx';
import { ActionPhotos } from './action-photos.tsx';
import { ActionBanners } from './action-banners.tsx';
import { GuestCard } from './guest-card.tsx';
import { OutcomeCard } from './outcome-card.tsx';
import { Recurrence } from './recurrence.tsx';
import { StatusPill } from './status-pill.tsx';
import './actions.css';

type Props = {
  actionId: string;
  /** A link to the inspection it came from. */
  renderSource: (inspectionId: string, title: string) => ReactNode;
  /** A link to the issue report it came from. */
  renderReport: (reportId: string, title: string) => ReactNode;
  /** A link to the finding it answers. */
  renderFinding: (findingId: string, title: string) => ReactNode;
  /** A row that leads to another action item. */
  renderAction: (actionId: string, face: ReactNode) => ReactNode;
  /** A way to take its words along for oneself. */
  ownGoal: ReactNode;
  /** Whoever is asked whether a risk is accepted, and what they said. */
  approval: ReactNode;
  /** What the rest of the app has to say of it first. */
  notice: ReactNode;
  backLink: ReactNode;
};

/** One action item: where it came from, what is to be done, by whom and until when, and its way to closure. */
export function ActionScreen({
  actionId,
  renderSource,
  renderReport,
  renderFinding,
  renderAction,
  ownGoal,
  approval,
  notice,
  backLink,
}: Props) {
  const { t } = useTranslation('actions');
  const { organization } = useSpace();
  const found = useLive(actionItem(actionId));
  const people = useLive(colleagues(organization.id));
  const words = { loading: t('loading'), missing: t('missing'), missingText: t('missingText') };
  return (
    <RecordPage found={found} words={words} backLink={backLink} recordOf={({ item }) => item}>
      {opened => (
        <>
          <Loaded
            key={actionId}
            opened={opened}
            notice={notice}
            people={people.status === 'ready' ? people.answer : []}
            renderAction={renderAction}
            renderSource={source =>
              (source.report && renderReport(source.report.id, source.report.title)) ??
              (source.finding && renderFinding(source.finding.id, source.finding.title)) ??
              (source.source && renderSource(source.source.id, source.source.title))
            }
          />
          {approval}
          {ownGoal}
        </>
      )}
    </RecordPage>
  );
}

/** Where it came from, in a word: where the record itself is not on this device. */
function originOf({ source_type: source }: OpenedActionItem['item']) {
  if (source === 'poam') return 'fromPlan';
  return source === 'finding' ? 'toFinding' : 'byHand';
}

type LoadedProps = {
  opened: OpenedActionItem;
  people: readonly Colleague[];
  renderSource: (opened: OpenedActionItem) => ReactNode;
  renderAction: Props['renderAction'];
  notice: ReactNode;
};

function Loaded({ opened, notice, people, renderSource, renderAction }: LoadedProps) {
  const { item, asset } = opened;
  const { t } = useTranslation('actions');
  const { formatInstant, formatDue } = useFormat();
  const { may } = useSpace();
  const now = useNow();
  const due = item.due_at && !isEnded(item.status) ? formatDue(new Date(item.due_at), now) : null;
  const nameOf = (id: string | null) => people.find(person => person.id === id)?.name;
  const mayEdit = may('action.work') || may('action.manage');
  return (
    <>
      <header className="stack">
        <h1 className="h1">{item.title}</h1>
        <div className="row wrap">
          <StatusPill status={item.status} />
          {due && <span className={`due ${due.state}`}>{t('row.due', { when: due.text })}</span>}
        </div>
        {item.closed_at && (
          <p className="sm muted">
            {t('closedBy', {
              name: nameOf(item.closed_by) ?? t('somebody'),
              when: formatInstant(new Date(item.closed_at)),
            })}
          </p>
        )}
      </header>
      {notice}
      <ActionBanners item={item} asset={asset} />
      {mayEdit && <ActionMoves item={item} />}
      <Recurrence item={item} people={people} renderAction={renderAction} />
      <OutcomeCard item={item} mayJudge={mayEdit} nameOf={id => nameOf(id) ?? t('somebody')} />
      <ActionPhotos item={item} readOnly={!mayEdit || isEnded(item.status)} />
      <div className="parts columns first-wide">
        <ActionDetails item={item} people={people} readOnly={!mayEdit || isEnded(item.status)} />
        <div className="stack action-origin">
          <GuestCard item={item} />
          <Card className="stack" label={t('origin')}>
            <h2 className="h2">{t('origin')}</h2>
            <p className="sm">{renderSource(opened) ?? t(originOf(item))}</p>
            {asset && <p className="sm muted">{t('asset', { name: asset.name })}</p>}
            <p className="sm muted">
              {t('madeBy', {
                name: nameOf(item.created_by) ?? t('somebody'),
                when: formatInstant(new Date(item.created_at)),
              })}
            </p>
          </Card>
        </div>
      </div>
    </>
  );
}
