import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck, LocateFixed, Map as MapIcon, Plus, Search } from 'lucide-react';
import type { Row } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { useOpenedAtOnce } from '../../shared/page/use-opened-at-once.ts';
import { inspectionLists, type InspectionLists } from './inspections/inspection-queries.ts';
import { InspectionRows, type Section } from './inspections/inspection-rows.tsx';
import { MapsSheet } from './on-site/maps-sheet.tsx';
import { NearbyCard } from './on-site/nearby-card.tsx';
import { plannedSections } from './inspections/planned-sections.ts';
import { usePrefetchForms } from './use-prefetch-forms.ts';
import { StartSheet } from './inspections/start-sheet.tsx';
import './inspections/field-screen.css';

type Props = {
  /** The heading: what the open playbook calls this module. */
  title: string;
  /** Opens the choice of a form at once; told when it has, so that neither a reload nor the way back does it again. */
  startAtOnce: boolean;
  onStarting: () => void;
  /** A link to one inspection, drawn by the route. */
  renderInspection: (id: string, face: ReactNode) => ReactNode;
  /** The way to the forms; drawn by the route. */
  formsLink: ReactNode;
  /** The way to the reviews; drawn by the route. */
  reviewsLink: ReactNode;
  /** The way to the schedules; drawn by the route. */
  schedulesLink: ReactNode;
  /** The ways to scanning and issue reports; drawn by the route. */
  onSiteLinks: ReactNode;
  onStarted: (inspectionId: string) => void;
  /** A link to one asset, drawn by the route. */
  renderAsset: (id: string, face: ReactNode) => ReactNode;
};

const NONE: readonly string[] = [];
/** What is under way first: it is opened next. */
const versionsOf = ({ inProgress, planned }: InspectionLists): string[] =>
  [...inProgress, ...planned].map(row => row.form_version_id);

/** Inspections: what is to do and under way, and what is finished. */
export function FieldScreen({
  title,
  startAtOnce,
  onStarting,
  renderInspection,
  formsLink,
  reviewsLink,
  schedulesLink,
  onSiteLinks,
  onStarted,
  renderAsset,
}: Props) {
  const { t } = useTranslation('field');
  const { organization, playbook, may } = useSpace();
  const { user } = useSignedIn();
  const lists = useLive(
    inspectionLists({ organizationId: organization.id, playbookId: playbook?.id ?? null }, user.id),
  );
  usePrefetchForms(lists.status === 'ready' ? versionsOf(lists.answer) : NONE);
  const [list, setList] = useState<'planned' | 'finished'>('planned');
  const [wanted, setWanted] = useState('');
  const [starting, setStarting] = useOpenedAtOnce(startAtOnce, onStarting);
  const conduct = may('inspection.conduct');
  const start = () => setStarting(true);

  return (
    <div className="field-page">
      <div className="page-head">
        <h1 className="h1">{title}</h1>
        <div className="row wrap">
          {may('inspection.review') && reviewsLink}
          {may('inspection.assign') && schedulesLink}
          {may('form.manage') && formsLink}
          {conduct && (
            <Button variant="primary" icon={Plus} onClick={start}>
              {t('start')}
            </Button>
          )}
        </div>
      </div>
      <OnSite links={onSiteLinks} renderAsset={renderAsset} />
      <div className="field-tools">
        <Segmented
          label={t('lists.label')}
          value={list}
          onChange={value => setList(value === 'finished' ? 'finished' : 'planned')}
          options={[
            { value: 'planned', label: t('lists.planned') },
            { value: 'finished', label: t('lists.finished') },
          ]}
        />
        <Input
          type="search"
          label={t('search')}
          labelHidden
          placeholder={t('search')}
          value={wanted}
          onChange={event => setWanted(event.target.value)}
          end={<Icon of={Search} size="s" />}
        />
      </div>
      {lists.status === 'loading' ? (
        <SkeletonRows label={t('loading')} />
      ) : (
        <Rows
          key={list}
          lists={lists.answer}
          list={list}
          wanted={wanted}
          renderInspection={renderInspection}
          onStart={conduct ? start : null}
        />
      )}
      {starting && conduct && <StartSheet onClose={() => setStarting(false)} onStarted={onStarted} />}
    </div>
  );
}

/** What is done where somebody stands; what is near is looked for only when it is asked for. */
function OnSite({ links, renderAsset }: { links: ReactNode; renderAsset: Props['renderAsset'] }) {
  const { t } = useTranslation('capture');
  const { t: tm } = useTranslation('maps');
  const [isNear, setNear] = useState(false);
  const [isMaps, setMaps] = useState(false);
  return (
    <>
      <div className="field-on-site">
        {links}
        <Button icon={LocateFixed} aria-expanded={isNear} onClick={() => setNear(!isNear)}>
          {t('nearby.title')}
        </Button>
        <Button icon={MapIcon} onClick={() => setMaps(true)}>
          {tm('title')}
        </Button>
      </div>
      {isNear && <NearbyCard renderAsset={renderAsset} />}
      {isMaps && <MapsSheet onClose={() => setMaps(false)} />}
    </>
  );
}

type RowsProps = {
  lists: InspectionLists;
  list: 'planned' | 'finished';
  wanted: string;
  renderInspection: Props['renderInspection'];
  onStart: (() => void) | null;
};

function Rows({ lists, list, wanted, renderInspection, onStart }: RowsProps) {
  const { t } = useTranslation('field');
  const now = useNow();
  const words = wanted.trim().toLocaleLowerCase();
  const all: Section[] =
    list === 'planned'
      ? plannedSections(lists, now).map(({ key, rows }) => ({ title: t(`groups.${key}`), rows }))
      : [{ title: null, rows: lists.finished }];
  const found = all
    .map(section => ({ ...section, rows: section.rows.filter(row => matches(row, words)) }))
    .filter(section => section.rows.length > 0);
  if (found.length > 0) return <InspectionRows sections={found} now={now} renderInspection={renderInspection} />;
  if (words !== '') return <EmptyState title={t('empty.found')}>{t('empty.foundText')}</EmptyState>;
  return (
    <EmptyState
      title={t(`empty.${list}`)}
      action={
        onStart && (
          <Button icon={ClipboardCheck} onClick={onStart}>
            {t('startOne')}
          </Button>
        )
      }
    >
      {t(`empty.${list}Text`)}
    </EmptyState>
  );
}

const matches = (row: Row<'inspections'>, words: string): boolean =>
  words === '' || row.title.toLocaleLowerCase().includes(words);
