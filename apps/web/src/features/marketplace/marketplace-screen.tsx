import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Store } from 'lucide-react';
import {
  INDUSTRIES,
  matching,
  NO_FILTER,
  stars,
  type Pack,
  type PackFilter,
  type PackVersion,
} from '@cairn/core/marketplace/pack.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { Answered } from './answered.tsx';
import { MarketGate, useMarketRights } from './market-gate.tsx';
import { LocalDraftList } from './local-draft-notice.tsx';
import { usePacks, useWaiting } from './use-market.ts';
import './marketplace.css';

type View = 'offered' | 'own' | 'review';
type Props = {
  title: string;
  mayReview: boolean;
  renderPack: (packId: string, face: ReactNode) => ReactNode;
  /** Begins a pack of one's own; shown to whoever may. */
  renderMake: () => ReactNode;
  /** The way to where a pack is written. */
  renderWrite: (packId: string, face: ReactNode) => ReactNode;
};

/** Packs of policies, forms and tasks that can be taken over: searched, narrowed, opened. */
export function MarketplaceScreen(props: Props) {
  const rights = useMarketRights(props.mayReview);
  return (
    <MarketGate rights={rights}>
      <Market {...props} rights={rights} />
    </MarketGate>
  );
}

function Market({ title, rights, ...render }: Props & { rights: ReturnType<typeof useMarketRights> }) {
  const { renderPack } = render;
  const { t } = useTranslation('marketplace');
  const query = usePacks();
  const [view, setView] = useState<View>(rights.mayInstall ? 'offered' : 'review');
  const views: View[] = [
    'offered',
    ...(rights.mayMake ? ['own' as const] : []),
    ...(rights.mayReview ? ['review' as const] : []),
  ];
  return (
    <div className="parts foot-room marketplace">
      <header className="page-head">
        <h1 className="h1">{title}</h1>
        {rights.mayMake && render.renderMake()}
      </header>
      <p className="muted market-lede">{t('lede')}</p>
      {views.length > 1 && (
        <Segmented
          label={t('views.label')}
          value={view}
          onChange={value => setView(views.find(each => each === value) ?? 'offered')}
          options={views.map(value => ({ value, label: t(`views.${value}`) }))}
        />
      )}
      {view === 'own' && <LocalDraftList renderWrite={render.renderWrite} />}
      <Answered query={query}>
        {packs =>
          view === 'review' ? (
            <ToReview packs={packs} renderPack={renderPack} />
          ) : (
            <Shelf key={view} packs={packs} view={view} renderPack={renderPack} />
          )
        }
      </Answered>
    </div>
  );
}

type ShelfProps = { packs: readonly Pack[]; view: 'offered' | 'own'; renderPack: Props['renderPack'] };

function Shelf({ packs, view, renderPack }: ShelfProps) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const [filter, setFilter] = useState<PackFilter>(NO_FILTER);
  const shelf = useMemo(
    () =>
      packs.filter(pack =>
        view === 'own'
          ? pack.organization_id === organization.id
          : pack.status === 'active' && (pack.is_template || pack.organization_id === organization.id),
      ),
    [packs, view, organization.id],
  );
  const rows = matching(shelf, filter);
  return (
    <>
      <Filters packs={shelf} filter={filter} onChange={setFilter} />
      {rows.length === 0 && (
        <EmptyState title={t(shelf.length === 0 ? `empty.${view}` : 'empty.found')}>
          {t(shelf.length === 0 ? `empty.${view}Text` : 'empty.foundText')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Card flush>
          <VirtualRows
            rows={rows}
            estimate={84}
            label={t(`views.${view}`)}
            renderRow={pack => renderPack(pack.id, <PackFace pack={pack} />)}
          />
        </Card>
      )}
    </>
  );
}

function Filters({
  packs,
  filter,
  onChange,
}: {
  packs: readonly Pack[];
  filter: PackFilter;
  onChange: (to: PackFilter) => void;
}) {
  const { t } = useTranslation('marketplace');
  const frameworks = [...new Set(packs.flatMap(pack => pack.frameworks))].toSorted((a, b) => a.localeCompare(b));
  const languages = [...new Set(packs.flatMap(({ locale }) => locale.split('-')[0] ?? []))].toSorted();
  const { formatLanguage } = useLanguageNames();
  const choices = {
    kind: (['compliance', 'growth'] as const).map(value => ({ value, label: t(`kind.${value}`) })),
    industry: INDUSTRIES.filter(value => value !== 'any').map(value => ({ value, label: t(`industry.${value}`) })),
    framework: frameworks.map(value => ({ value, label: value })),
    locale: languages.map(value => ({ value, label: formatLanguage(value) })),
  };
  return (
    <div className="parts">
      <SearchInput
        label={t('search')}
        clearLabel={t('clear')}
        value={filter.words}
        onChange={words => onChange({ ...filter, words })}
      />
      <div className="market-selects">
        {(['kind', 'industry', 'framework', 'locale'] as const).map(name => (
          <Select
            key={name}
            label={t(`filter.${name}`)}
            placeholder={t('filter.any')}
            choices={choices[name]}
            value={filter[name]}
            onChange={event => onChange({ ...filter, [name]: event.target.value })}
          />
        ))}
      </div>
    </div>
  );
}

/** Names of languages in the language that is spoken. */
export function useLanguageNames() {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const names = new Intl.DisplayNames([i18n.language.replace('pseudo', 'en'), 'en'], { type: 'language' });
    return { formatLanguage: (locale: string): string => names.of(locale) ?? locale };
  }, [i18n.language]);
}

function PackFace({ pack }: { pack: Pack }) {
  const { t } = useTranslation('marketplace');
  const { formatNumber } = useFormat();
  const rating = stars(pack);
  const details = [
    t('by', { name: pack.publisher }),
    pack.current_number && t('version', { number: pack.current_number }),
    rating !== null && t('stars', { stars: formatNumber(rating, 1) }),
    pack.linked_playbooks > 0 && t('playbooks', { count: pack.linked_playbooks }),
  ];
  return (
    <RowFace
      start={
        <RowIcon>
          <Icon of={Store} />
        </RowIcon>
      }
      title={pack.name}
      detail={details.filter(Boolean).join(' · ')}
      end={
        pack.status === 'active' ? (
          <Pill tone={pack.kind === 'growth' ? 'good' : 'info'}>{t(`kind.${pack.kind}`)}</Pill>
        ) : (
          <Pill>{t(`status.${pack.status}`)}</Pill>
        )
      }
    />
  );
}

function ToReview({ packs, renderPack }: Pick<ShelfProps, 'packs' | 'renderPack'>) {
  const [submitted, begun] = [useWaiting('submitted', true), useWaiting('in_review', true)];
  return (
    <Answered query={submitted}>
      {waiting => (
        <Answered query={begun}>
          {others => <Waiting rows={[...others, ...waiting]} packs={packs} renderPack={renderPack} />}
        </Answered>
      )}
    </Answered>
  );
}

type WaitingProps = Pick<ShelfProps, 'packs' | 'renderPack'> & { rows: PackVersion[] };

function Waiting({ rows, packs, renderPack }: WaitingProps) {
  const { t } = useTranslation('marketplace');
  if (rows.length === 0) return <EmptyState title={t('empty.review')}>{t('empty.reviewText')}</EmptyState>;
  const faceOf = (version: PackVersion) => {
    const pack = packs.find(({ id }) => id === version.pack_id);
    const detail = [pack && t('by', { name: pack.publisher }), t('version', { number: version.number })];
    const end = <Pill>{t(`state.${version.state}`)}</Pill>;
    return <RowFace title={pack?.name ?? ''} detail={detail.filter(Boolean).join(' · ')} end={end} />;
  };
  return (
    <Card flush>
      <VirtualRows
        rows={rows}
        estimate={68}
        label={t('views.review')}
        renderRow={version => renderPack(version.pack_id, faceOf(version))}
      />
    </Card>
  );
}
