import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Split } from 'lucide-react';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { ConflictCard } from './conflict-card.tsx';
import { conflictInspections, groupsOf, type ConflictGroup, type ConflictInspections } from './conflict-groups.ts';
import { isSameAnswer } from './conflict-questions.ts';
import type { People } from './field-text.ts';
import { HEADINGS, useFocusAfter } from '../lists/use-focus-after.ts';
import { useLatest } from '../lists/use-latest.ts';

const NONE: ConflictInspections = new Map();

type ConflictContext = {
  people: People;
  /** Ids of records with edits that were not sent. */
  edited: ReadonlySet<string>;
};

/** Each is a card of its own, with a question to think about. */
const SHOWN = 20;

/** Conflicts that are open, those of one inspection under one head. */
export function OpenConflicts({ conflicts, ...each }: ConflictContext & { conflicts: readonly Conflict[] }) {
  const { t } = useTranslation('sync');
  const inspections = useLatest<ConflictInspections>(conflictInspections(conflicts), NONE);
  const { shown, more } = useMoreRows(groupsOf(conflicts, inspections), { first: SHOWN, step: SHOWN });
  return (
    <>
      {shown.map(group => (
        <Group key={group.key} group={group} {...each} />
      ))}
      <MoreRows more={more} label={t('more')} />
    </>
  );
}

function Group({ group, ...each }: ConflictContext & { group: ConflictGroup }) {
  const { inspection, conflicts } = group;
  if (inspection && conflicts.length > 1)
    return <OneInspection inspection={inspection} conflicts={conflicts} {...each} />;
  return <OpenConflict conflict={conflicts[0]} {...each} />;
}

function OpenConflict({ conflict, people, edited }: ConflictContext & { conflict: Conflict }) {
  const card = useFocusAfter<HTMLDivElement>(HEADINGS.needs);
  return (
    <div ref={card}>
      <ConflictCard conflict={conflict} people={people} isEdited={edited.has(conflict.recordId)} />
    </div>
  );
}

type OneInspectionProps = ConflictContext & {
  inspection: NonNullable<ConflictGroup['inspection']>;
  conflicts: readonly Conflict[];
};

/** An inspection that two people answered at once: one choice for all of it, or one by one. */
function OneInspection({ inspection, conflicts, ...each }: OneInspectionProps) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const [isSplit, setIsSplit] = useState(false);
  const head = useFocusAfter<HTMLDivElement>(HEADINGS.needs);
  const keeping = useAction(async (keep: 'mine' | 'theirs') => {
    for (const { id } of conflicts) await engine.resolve(id, { keep });
  });
  const alike = conflicts.filter(isSameAnswer).length;
  return (
    <>
      <div ref={head}>
        <Card className="stack" label={t('conflict.label', { name: inspection.title })}>
          <div>
            <Pill tone="warn" icon={Split}>
              {t('conflict.two')}
            </Pill>
          </div>
          <h3 className="h2">{inspection.title}</h3>
          <p className="sm">{t('conflictAll.text', { count: conflicts.length })}</p>
          {alike > 0 && <p className="sm muted">{t('conflictAll.alike', { count: alike })}</p>}
          <p className="sm muted">{t('conflictAll.merged')}</p>
          {inspection.isFinished && <p className="sm strong">{t('conflictAll.finished')}</p>}
          <div className="row wrap">
            {(['mine', 'theirs'] as const).map(keep => (
              <Button key={keep} busy={keeping.busy} onClick={() => keeping.run(keep)}>
                {t(`conflictAll.${keep}`)}
              </Button>
            ))}
            <Button variant="plain" aria-expanded={isSplit} onClick={() => setIsSplit(!isSplit)}>
              {t('conflictAll.each')}
            </Button>
          </div>
          <FailureLine failure={keeping.failure} />
        </Card>
      </div>
      {isSplit && <OneByOne conflicts={conflicts} {...each} />}
    </>
  );
}

function OneByOne({ conflicts, ...each }: ConflictContext & { conflicts: readonly Conflict[] }) {
  const { t } = useTranslation('sync');
  const { shown, more } = useMoreRows(conflicts, { first: SHOWN, step: SHOWN });
  return (
    <>
      {shown.map(conflict => (
        <OpenConflict key={conflict.id} conflict={conflict} {...each} />
      ))}
      <MoreRows more={more} label={t('more')} />
    </>
  );
}
