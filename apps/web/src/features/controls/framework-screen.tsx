import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  openedFramework,
  type Coverage,
  type CoveredControl,
  type OpenedFramework,
} from '@cairn/core/evidence/coverage.ts';
import { removeFramework } from '@cairn/core/controls/take-framework.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { SkeletonHeading } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { TileFace } from '@cairn/ui/layout/tile.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { Removal } from '../../shared/records/removal.tsx';
import './controls.css';

const COVERAGES = ['proven', 'addressed', 'gap'] as const satisfies readonly Coverage[];

export const COVERAGE_FACES: Record<Coverage, StatusState> = {
  proven: 'done',
  addressed: 'in_progress',
  gap: 'finding',
};

type Props = {
  frameworkId: string;
  backLink: ReactNode;
  renderControl: (id: string, face: ReactNode) => ReactNode;
  onRemoved: () => void;
};

/** One framework, family by family: what is proven, what is only answered, and where the gaps are. */
export function FrameworkScreen({ frameworkId, backLink, renderControl, onRemoved }: Props) {
  const { t } = useTranslation('controls');
  const found = useLive(openedFramework(frameworkId, useToday()));
  if (found.status === 'loading') return <SkeletonHeading label={t('loading')} />;
  if (found.answer === null)
    return (
      <EmptyState level={1} title={t('missing')} action={backLink}>
        {t('missingText')}
      </EmptyState>
    );
  return (
    <div className="parts foot-room controls">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{found.answer.framework.title}</h1>
        <FrameworkRemoval id={frameworkId} onRemoved={onRemoved} />
      </div>
      <Figures opened={found.answer} />
      <Families opened={found.answer} renderControl={renderControl} />
    </div>
  );
}

function Figures({ opened: { figures } }: { opened: OpenedFramework }) {
  const { t } = useTranslation('controls');
  const { formatNumber } = useFormat();
  const all = figures.proven + figures.addressed + figures.gap;
  return (
    <>
      <section className="tiles" aria-label={t('coverage.label')}>
        {COVERAGES.map(name => (
          <div key={name} className="card tile">
            <TileFace
              label={t(`coverage.${name}`)}
              value={formatNumber(figures[name])}
              explains={t(`coverage.${name}Text`)}
            />
          </div>
        ))}
      </section>
      <ProgressBar
        label={t('coverage.proven')}
        figure={t('coverage.rate', { done: formatNumber(figures.proven), all: formatNumber(all) })}
        value={figures.proven}
        max={all}
      />
    </>
  );
}

type FamiliesProps = { opened: OpenedFramework; renderControl: Props['renderControl'] };

function Families({ opened: { families, figures }, renderControl }: FamiliesProps) {
  const { t } = useTranslation('controls');
  const [view, setView] = useState<Coverage | 'all'>('all');
  const shown = families
    .map(family => ({ ...family, controls: family.controls.filter(each => view === 'all' || each.coverage === view) }))
    .filter(({ controls }) => controls.length > 0);
  return (
    <>
      <Segmented
        label={t('coverage.label')}
        value={view}
        onChange={value => setView(COVERAGES.find(each => each === value) ?? 'all')}
        options={(['all', ...COVERAGES] as const).map(value => ({
          value,
          label: value === 'all' ? t('coverage.all') : `${t(`coverage.${value}`)} (${figures[value]})`,
        }))}
      />
      {shown.length === 0 && <EmptyState title={t('coverage.none')}>{t('coverage.noneText')}</EmptyState>}
      {shown.map(family => (
        <Card flush key={family.name}>
          <CardHead
            title={family.name}
            count={
              <span className="muted sm num">
                {t('coverage.rate', {
                  done: family.figures.proven,
                  all: family.figures.proven + family.figures.addressed + family.figures.gap,
                })}
              </span>
            }
          />
          <List label={family.name}>
            {family.controls.map(each => (
              <li key={each.control.id}>{renderControl(each.control.id, <ControlFace covered={each} />)}</li>
            ))}
          </List>
        </Card>
      ))}
    </>
  );
}

function ControlFace({ covered: { control, coverage } }: { covered: CoveredControl }) {
  const { t } = useTranslation('controls');
  return (
    <RowFace
      title={`${control.label} ${control.title}`}
      end={<StatusChip state={COVERAGE_FACES[coverage]}>{t(`chip.${coverage}`)}</StatusChip>}
    />
  );
}

function FrameworkRemoval({ id, onRemoved }: { id: string; onRemoved: () => void }) {
  const { t } = useTranslation('controls');
  const { may } = useSpace();
  const store = useStore();
  if (!may('control.manage')) return null;
  const words = {
    act: t('remove.act'),
    title: t('remove.title'),
    text: t('remove.text'),
    cancel: t('remove.cancel'),
    done: t('remove.done'),
  };
  const remove = () => store.write('controls.remove', tx => removeFramework(tx, id));
  return <Removal words={words} remove={remove} onRemoved={onRemoved} />;
}
