import { useTranslation } from 'react-i18next';
import type { Conflict } from '@cairn/sync/engine.ts';
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
            <dl className="facts">
              <dt>{t('conflict.before')}</dt>
              <dd>{words(base)}</dd>
              <dt>{t('conflict.mine')}</dt>
              <dd>{words(mine)}</dd>
              <dt>{t('conflict.theirs')}</dt>
              <dd>{words(theirs)}</dd>
              {written && f in written && (
                <>
                  <dt>{t('conflict.third')}</dt>
                  <dd>{words(written[f])}</dd>
                </>
              )}
            </dl>
          </div>
        );
      })}
      <dl className="facts">
        <dt>{t('history.kept')}</dt>
        <dd>{t(`history.${resolution ?? 'theirs'}`)}</dd>
        {resolvedAt !== null && (
          <>
            <dt>{t('history.when')}</dt>
            <dd className="num">{exactly(resolvedAt)}</dd>
          </>
        )}
      </dl>
    </div>
  );
}
