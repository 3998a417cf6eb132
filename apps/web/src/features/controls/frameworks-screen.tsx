import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Upload } from 'lucide-react';
import { frameworkList, type OpenedFramework } from '@cairn/core/evidence/coverage.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { BringSheet } from './bring-sheet.tsx';
import { PoamsCard } from './poams-card.tsx';
import { SeveralNotice } from './several-notice.tsx';
import './controls.css';

type Props = {
  backLink: ReactNode;
  renderFramework: (id: string, face: ReactNode) => ReactNode;
  renderAction: (id: string, face: ReactNode) => ReactNode;
};

/** The frameworks an organisation answers to, each with how much of it is proven today. */
export function FrameworksScreen({ backLink, renderFramework, renderAction }: Props) {
  const { t } = useTranslation('controls');
  const { organization, may } = useSpace();
  const live = useLive(frameworkList(organization.id, useToday()));
  const [bringing, setBringing] = useState(false);
  const rows = live.status === 'ready' ? live.answer : [];
  const mayBring = may('control.manage');
  return (
    <div className="parts foot-room controls">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
        {mayBring && (
          <Button variant="primary" icon={Upload} onClick={() => setBringing(true)}>
            {t('bring.act')}
          </Button>
        )}
      </div>
      <SeveralNotice />
      {live.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {live.status === 'ready' && rows.length === 0 && (
        <EmptyState title={t('empty')}>{t(mayBring ? 'emptyText' : 'emptyRead')}</EmptyState>
      )}
      {rows.length > 0 && (
        <Card flush>
          <List label={t('title')}>
            {rows.map(opened => (
              <li key={opened.framework.id}>{renderFramework(opened.framework.id, <Face opened={opened} />)}</li>
            ))}
          </List>
        </Card>
      )}
      <PoamsCard renderAction={renderAction} />
      {bringing && <BringSheet onClose={() => setBringing(false)} />}
    </div>
  );
}

function Face({ opened: { framework, figures } }: { opened: OpenedFramework }) {
  const { t } = useTranslation('controls');
  const { formatNumber } = useFormat();
  const all = figures.proven + figures.addressed + figures.gap;
  const rate = t('coverage.rate', { done: formatNumber(figures.proven), all: formatNumber(all) });
  const edition = framework.edition && t('edition', { edition: framework.edition });
  return <RowFace title={framework.title} detail={[edition, rate].filter(Boolean).join(' · ')} />;
}
