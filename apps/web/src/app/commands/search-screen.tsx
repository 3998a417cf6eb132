import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fitting } from '@cairn/core/search/fitting.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Highlight } from '@cairn/ui/data/highlight.tsx';
import { Icon, type IconComponent } from '@cairn/ui/controls/icon.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { ModuleLink } from '../shell/navigation/module-link.tsx';
import { moduleIcons } from '../shell/navigation/module-icons.ts';
import { useLabels } from '../shell/navigation/use-labels.ts';
import { useNavigation } from '../shell/navigation/use-navigation.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useFound } from './use-found.ts';
import './search-screen.css';

const MAX_RECORDS = 50;

type Props = { typed: string; onTyped: (typed: string) => void };

/** Search over everything on this device, as a page: what a phone has for the command palette. */
export function SearchScreen({ typed, onTyped }: Props) {
  const { t } = useTranslation('shell');
  const [query, setQuery] = useState(typed);
  const asked = useDeferredValue(query);
  const { status, found } = useFound(asked, MAX_RECORDS);
  const labels = useLabels(useSpace().world);
  const { groups } = useNavigation();
  const modules = groups.flatMap(group => group.modules);
  const screens = asked === '' ? [] : fitting(modules, labels.module, asked);
  const page = useRef<HTMLDivElement>(null);
  // Whoever opens this page wants to type.
  useEffect(() => page.current?.querySelector('input')?.focus(), []);
  const change = (value: string) => {
    setQuery(value);
    onTyped(value);
  };
  const isEmpty = found.length === 0 && screens.length === 0;
  return (
    <div className="find-page" ref={page}>
      <h1 className="h1">{t('find.title')}</h1>
      <SearchInput label={t('find.label')} clearLabel={t('find.clear')} value={query} onChange={change} />
      {isEmpty && asked.trim() === '' && <EmptyState title={t('find.begin')}>{t('find.beginText')}</EmptyState>}
      {isEmpty && asked.trim() !== '' && (
        <EmptyState title={t(status === 'building' ? 'palette.building' : 'palette.none')}>
          {t('find.noneText')}
        </EmptyState>
      )}
      {!isEmpty && (
        <Card flush>
          <ul className="find-list" aria-label={t('find.results')}>
            {screens.map(id => (
              <li key={id}>
                <ModuleLink to={id} className="find-row">
                  <Face icon={moduleIcons[id]} title={labels.module(id)} detail="" query={asked} />
                </ModuleLink>
              </li>
            ))}
            {found.map(({ id, title, detail, icon, open }) => (
              <li key={id}>
                <button type="button" className="find-row" onClick={open}>
                  <Face icon={icon} title={title} detail={detail} query={asked} />
                </button>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

function Face({ icon, title, detail, query }: { icon: IconComponent; title: string; detail: string; query: string }) {
  return (
    <>
      <Icon of={icon} />
      <span className="grow">
        <Highlight text={title} query={query} />
        {detail !== '' && <span className="muted sm find-detail">{detail}</span>}
      </span>
    </>
  );
}
