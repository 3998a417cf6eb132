import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { questionsOf } from './conflict-questions.ts';
import { exactly, questionText, type People } from './field-text.ts';
import { useConflictTexts, type ConflictTexts } from './use-conflict-texts.ts';
import { sidesText, valueText } from './value-text.ts';

type Props = { conflicts: readonly Conflict[]; people: People };

/** Conflicts that were settled: both values stay readable, and what was kept. Drawn once somebody looks. */
export function ConflictHistory({ conflicts, people }: Props) {
  const { t } = useTranslation('sync');
  const [isOpen, setIsOpen] = useState(false);
  const history = conflicts.filter(({ resolved }) => resolved);
  if (history.length === 0) return null;
  const title = t('history.title', { count: history.length });
  return (
    <Card label={title} className="conflict-history">
      <details onToggle={event => setIsOpen(event.currentTarget.open)}>
        <summary className="strong">{title}</summary>
        {isOpen && <ResolvedList conflicts={history} people={people} />}
      </details>
    </Card>
  );
}

function ResolvedList({ conflicts, people }: Props) {
  const { t } = useTranslation('sync');
  const { shown, more } = useMoreRows(conflicts, { first: 20, step: 100 });
  const words = useConflictTexts(shown, people);
  return (
    <>
      {words.map(each => (
        <ResolvedConflict key={each.conflict.id} {...each} />
      ))}
      <MoreRows more={more} label={t('more')} />
    </>
  );
}

function ResolvedConflict({ conflict, name, telling }: ConflictTexts) {
  const { t } = useTranslation('sync');
  const { table, resolution, resolvedAt, written } = conflict;
  return (
    <div className="settled">
      <p className="strong">{name}</p>
      {telling.question && <p className="sm muted">{t('failed.within', { name: telling.question.within })}</p>}
      {questionsOf(conflict).map(({ lead }) => {
        const { f } = lead;
        const sides = sidesText(f, lead, telling);
        return (
          <div key={f}>
            <p className="sm muted">{questionText({ table, lead }, name, t)}</p>
            <Facts
              look="across"
              facts={[
                [t('conflict.before'), sides.base],
                [t('conflict.mine'), sides.mine],
                [t('conflict.theirs'), sides.theirs],
                [t('conflict.third'), written && f in written ? valueText(f, written[f], telling) : null],
              ]}
            />
          </div>
        );
      })}
      <Facts
        look="across"
        facts={[
          [t('history.kept'), t(`history.${resolution ?? 'theirs'}`)],
          [t('history.when'), resolvedAt === null ? null : exactly(resolvedAt), 'num'],
        ]}
      />
    </div>
  );
}
