import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LOOK_BACK_DAYS } from '@cairn/core/action-items/recurrence.ts';
import type { Proposal } from '@cairn/core/action-items/recurrence-queries.ts';
import type { Colleague } from '@cairn/core/spaces/colleagues.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Card, List } from '@cairn/ui/layout/surface.tsx';
import { DismissSheet } from './dismiss-sheet.tsx';
import { MeasureSheet } from './measure-sheet.tsx';
import { SourceRow } from './source-row.tsx';

type Props = {
  proposal: Proposal;
  people: readonly Colleague[];
  renderAction: (id: string, face: ReactNode) => ReactNode;
};

/** Sources shown at once; a cause may have dozens. */
const SHOWN = 5;

/** What goes wrong again and again, where it did, and the two things one can do about it. */
export function ProposalCard({ proposal, people, renderAction }: Props) {
  const { t } = useTranslation('actions');
  const [sheet, setSheet] = useState<'measure' | 'dismiss' | null>(null);
  const [all, setAll] = useState(false);
  const { items, kind, form, place } = proposal;
  const title = t(`again.${kind}`, { count: items.length, days: LOOK_BACK_DAYS });
  const what = kind === 'cause' ? items[0]?.root_cause : form;
  const close = () => setSheet(null);
  return (
    <Card className="stack again" label={title}>
      <h2 className="h2">{title}</h2>
      <p className="sm action-words">{[what, place].filter(Boolean).join(' · ')}</p>
      <p className="sm muted">{t('again.text')}</p>
      <List label={t('again.sources')}>
        {(all ? items : items.slice(0, SHOWN)).map(item => (
          <SourceRow key={item.id} item={item} renderAction={renderAction} />
        ))}
      </List>
      <div className="row wrap">
        {!all && items.length > SHOWN && (
          <Button onClick={() => setAll(true)}>{t('again.all', { count: items.length })}</Button>
        )}
        <Button variant="primary" onClick={() => setSheet('measure')}>
          {t('again.measure')}
        </Button>
        <Button onClick={() => setSheet('dismiss')}>{t('again.dismiss')}</Button>
      </div>
      {sheet === 'measure' && <MeasureSheet proposal={proposal} people={people} onClose={close} />}
      {sheet === 'dismiss' && <DismissSheet proposal={proposal} onClose={close} />}
    </Card>
  );
}
