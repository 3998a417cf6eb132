import { useTranslation } from 'react-i18next';
import type { Conflict } from '@cairn/sync/engine.ts';
import { Facts } from '@cairn/ui/facts.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { exactly, questionWords, valueWords, type People } from './field-words.ts';
import { questionsOf } from './conflict-questions.ts';

type Props = { conflicts: readonly Conflict[]; people: People };

/** Conflicts that were settled: both values stay readable, and what was kept. */
export function ConflictHistory({ conflicts, people }: Props) {
  const { t } = useTranslation('sync');
  const settled = conflicts.filter(({ resolved }) => resolved);
  if (settled.length === 0) return null;
  const title = t('history.title', { count: settled.length });
  return (
    <Card label={title} className="conflict-history">
      <details>
        <summary className="strong">{title}</summary>
        {settled.map(conflict => (
          <Settled key={conflict.id} conflict={conflict} people={people} />
        ))}
      </details>
    </Card>
  );
}

function Settled({ conflict, people }: { conflict: Conflict; people: People }) {
  const { t } = useTranslation('sync');
  const { title, resolution, resolvedAt, written } = conflict;
  return (
    <div className="settled">
      <p className="strong">{title ?? t('conflict.thisRecord')}</p>
      {questionsOf(conflict).map(question => {
        const { f, base, mine, theirs } = question.lead;
        const words = (value: unknown) => valueWords(f, value, people, t);
        return (
          <div key={f}>
            <p className="sm muted">{questionWords(question, title, t)}</p>
            <Facts
              look="across"
              facts={[
                [t('conflict.before'), words(base)],
                [t('conflict.mine'), words(mine)],
                [t('conflict.theirs'), words(theirs)],
                [t('conflict.third'), written && f in written ? words(written[f]) : null],
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
