import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FileUp, Plus, ScrollText, Upload } from 'lucide-react';
import { isLate, isWaiting } from '@cairn/core/policies/policy-status.ts';
import { policyEntries, policySearch, waitingFor, type PolicyEntry } from '@cairn/core/policies/queries.ts';
import { isInForce } from '@cairn/core/policies/version-states.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { NewPolicySheet } from './authoring/new-policy-sheet.tsx';
import { numberOf, STATE_FACES, statusFace } from './document/policy-labels.ts';
import { worldKey } from './document/world-key.ts';
import './document/policies.css';

/** Reads front matter: loaded when somebody brings files in. */
const ImportSheet = lazy(async () => ({ default: (await import('./authoring/import-sheet.tsx')).ImportSheet }));

/** Reads PDF and Word: loaded when somebody brings a file. */
const UploadSheet = lazy(async () => ({ default: (await import('./authoring/upload-sheet.tsx')).UploadSheet }));

const VIEWS = ['waiting', 'inForce', 'making', 'archived'] as const;
type View = (typeof VIEWS)[number];

type Props = {
  title: string;
  /** Which of them an address opens first; else what waits for the person, or what is in force. */
  opened: string | undefined;
  /** Ways to what belongs to policies. */
  links: ReactNode;
  /** A link to a policy: to what is in force, or to one version. */
  renderPolicy: (policyId: string, versionId: string | null, face: ReactNode) => ReactNode;
  /** A draft was begun: it opens to be written. */
  onBegun: (policyId: string) => void;
};

/** Policies of an organisation, or principles of a person: what waits for one's word, what is in force, what is being written. */
export function PoliciesScreen({ title, opened, links, renderPolicy, onBegun }: Props) {
  const { t } = useTranslation('policies');
  const { organization, userId, may, world } = useSpace();
  const live = useLive(policyEntries({ organizationId: organization.id, userId }));
  const [chosen, setChosen] = useState(VIEWS.find(each => each === opened) ?? null);
  const [typed, setTyped] = useState('');
  const [searched] = useState(policySearch);
  const entries = live.status === 'ready' ? live.answer : [];
  const waiting = waitingFor(entries);
  const views = VIEWS.filter(each => each !== 'making' || may('policy.approve'));
  const view = views.find(each => each === chosen) ?? (waiting.length > 0 ? 'waiting' : 'inForce');
  const rows = searched(view === 'waiting' ? waiting : entries.filter(entry => isIn(entry, view)), typed).map(
    entry => ({
      ...entry,
      id: entry.policy.id,
    }),
  );
  return (
    <div className="parts foot-room">
      <Head title={title} links={links} onBegun={onBegun} />
      <SearchInput label={t('search')} clearLabel={t('clear')} value={typed} onChange={setTyped} />
      <Segmented
        label={t('views.label')}
        value={view}
        onChange={value => setChosen(views.find(each => each === value) ?? 'inForce')}
        options={views.map(value => ({
          value,
          label:
            value === 'waiting' && waiting.length > 0
              ? `${t('views.waiting')} (${waiting.length})`
              : t(worldKey(`views.${value}`, world)),
        }))}
      />
      {live.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {live.status === 'ready' && rows.length === 0 && (
        <EmptyState title={t(worldKey(typed === '' ? `empty.${view}` : 'empty.found', world))}>
          {t(worldKey(typed === '' ? `empty.${view}Text` : 'empty.foundText', world))}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Card flush>
          <VirtualRows
            key={view}
            rows={rows}
            estimate={68}
            label={t(worldKey(`views.${view}`, world))}
            renderRow={row =>
              renderPolicy(row.id, view === 'making' ? (row.next?.id ?? null) : null, <Face entry={row} view={view} />)
            }
          />
        </Card>
      )}
    </div>
  );
}

const isIn = ({ policy, next }: PolicyEntry, view: View): boolean => {
  if (view === 'making') return next !== null && policy.state !== 'archived';
  return view === 'archived' ? policy.state === 'archived' : isInForce(policy);
};

function Head({ title, links, onBegun }: Omit<Props, 'renderPolicy' | 'opened'>) {
  const { t } = useTranslation('policies');
  const { t: tFiles } = useTranslation('policyFiles');
  const { world, may } = useSpace();
  const [open, setOpen] = useState<'new' | 'import' | 'upload' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="page-head">
      <h1 className="h1">{title}</h1>
      <div className="row wrap">
        {links}
        {may('policy.author') && (
          <>
            <Button icon={Upload} onClick={() => setOpen('import')}>
              {t('import')}
            </Button>
            <Button icon={FileUp} onClick={() => setOpen('upload')}>
              {tFiles('upload.link')}
            </Button>
            <Button variant="primary" icon={Plus} onClick={() => setOpen('new')}>
              {t(`new.${world}`)}
            </Button>
          </>
        )}
      </div>
      {open === 'new' && <NewPolicySheet onClose={close} onBegun={onBegun} />}
      {open === 'import' && (
        <Suspense fallback={null}>
          <ImportSheet onClose={close} />
        </Suspense>
      )}
      {open === 'upload' && (
        <Suspense fallback={null}>
          <UploadSheet versionId={null} onClose={close} onBegun={onBegun} />
        </Suspense>
      )}
    </div>
  );
}

function Face({ entry, view }: { entry: PolicyEntry; view: View }) {
  const { t } = useTranslation('policies');
  const { world } = useSpace();
  const { formatDay } = useFormat();
  const now = useNow();
  const { policy, current, next, status } = entry;
  const shown = view === 'making' || current === null ? next : current;
  const { label, state } = statusFace(status, now);
  const day = (iso: string) => formatDay(new Date(iso), now);
  const due = isWaiting(status) && status.dueAt !== null && t('by', { day: day(status.dueAt) });
  const since = current?.published_at ? t('since', { day: day(current.published_at) }) : null;
  const details = [policy.code, shown?.major ? t('version', { number: numberOf(shown) }) : null, due || since];
  return (
    <RowFace
      start={
        <RowIcon tone={isLate(status, now) && view === 'waiting' ? 'bad' : 'neutral'}>
          <Icon of={ScrollText} />
        </RowIcon>
      }
      title={view === 'making' && next ? next.title : policy.title}
      detail={details.filter(Boolean).join(' · ')}
      end={
        view === 'inForce' || view === 'waiting' ? (
          <StatusChip state={state}>{t(worldKey(`status.${label}`, world))}</StatusChip>
        ) : (
          shown && (
            <StatusChip state={STATE_FACES[shown.state]}>{t(worldKey(`state.${shown.state}`, world))}</StatusChip>
          )
        )
      }
    />
  );
}
