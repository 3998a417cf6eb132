import { useTranslation } from 'react-i18next';
import { poamBackground } from '@cairn/core/controls/poam-list.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Card } from '@cairn/ui/layout/surface.tsx';
import './controls.css';

type Part = { title: string; text: string };

/** On an action item that came from a plan: the risk it is about, and what was seen. Nothing on any other. */
export function PoamBackgroundCard({ actionId }: { actionId: string }) {
  const { t } = useTranslation('controls');
  const live = useLive(poamBackground(actionId));
  const found = live.status === 'ready' ? live.answer : null;
  if (found === null) return null;
  return (
    <Card className="stack controls" label={t('poam.title')}>
      <h2 className="h2">{found.poam.title}</h2>
      <Parts title={t('poam.risks')} parts={found.risks} />
      <Parts title={t('poam.observations')} parts={found.observations} />
      {found.risks.length + found.observations.length === 0 && <p className="muted">{t('poam.bare')}</p>}
    </Card>
  );
}

function Parts({ title, parts }: { title: string; parts: readonly Part[] }) {
  if (parts.length === 0) return null;
  return (
    <section className="stack" aria-label={title}>
      <h3 className="h3">{title}</h3>
      {parts.map(part => (
        <div key={`${part.title} ${part.text}`} className="controls-statement">
          <p className="strong">{part.title}</p>
          <p className="sm">{part.text}</p>
        </div>
      ))}
    </section>
  );
}
