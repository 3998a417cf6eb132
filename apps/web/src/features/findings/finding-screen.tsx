import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Finding, mayAnswer, mayReopen, mayRewrite } from '@cairn/core/findings/finding-states.ts';
import { type FindingAbout, type OpenedFinding, openedFinding } from '@cairn/core/findings/queries.ts';
import { removeFinding } from '@cairn/core/findings/raise-finding.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { RecordPage } from '../../shared/records/record-page.tsx';
import { Removal } from '../../shared/records/removal.tsx';
import { AnswerSheet } from './answer-sheet.tsx';
import { FindingChip, SeverityPill, useFindingRights } from './finding-labels.tsx';
import { OwnerField } from './owner-field.tsx';
import { VerdictCard } from './verdict-card.tsx';
import { WriteSheet } from './write-sheet.tsx';
import './findings.css';

type Props = {
  findingId: string;
  backLink: ReactNode;
  renderRecord: (about: FindingAbout, face: ReactNode) => ReactNode;
  renderAction: (id: string, face: ReactNode) => ReactNode;
  /** What an action item is called where it stands. */
  renderActionState: (status: OpenedFinding['actions'][number]['status']) => ReactNode;
  onRemoved: () => void;
};

/** One finding: what was seen and what asks for otherwise, what the company answered and does, and the verdict on it. */
export function FindingScreen({ findingId, backLink, ...links }: Props) {
  const { t } = useTranslation('findings');
  const found = useLive(openedFinding(findingId));
  const words = { loading: t('loading'), missing: t('missing'), missingText: t('missingText') };
  return (
    <RecordPage found={found} words={words} backLink={backLink}>
      {opened => <Loaded opened={opened} {...links} />}
    </RecordPage>
  );
}

type LoadedProps = Omit<Props, 'findingId' | 'backLink'> & { opened: OpenedFinding };

function Loaded({ opened, renderRecord, renderAction, renderActionState, onRemoved }: LoadedProps) {
  const { finding, actions } = opened;
  const { t } = useTranslation('findings');
  const rights = useFindingRights();
  const [sheet, setSheet] = useState<'answer' | 'change' | null>(null);
  return (
    <>
      <div className="page-head">
        <h1 className="h1">{finding.title}</h1>
        {mayAnswer(finding, rights) && (
          <Button variant="primary" onClick={() => setSheet('answer')}>
            {t('answer.act')}
          </Button>
        )}
        {mayRewrite(finding, rights) && <Button onClick={() => setSheet('change')}>{t('change')}</Button>}
      </div>
      <div className="row wrap">
        <FindingChip state={finding.state} />
        <SeverityPill severity={finding.severity} />
      </div>
      <SeenCard opened={opened} renderRecord={renderRecord} />
      {finding.answer !== null && <AnswerCard opened={opened} />}
      {actions.length > 0 && (
        <Card flush>
          <CardHead title={t('actions')} />
          <List label={t('actions')}>
            {actions.map(({ id, title, status }) => (
              <li key={id}>{renderAction(id, <RowFace title={title} end={renderActionState(status)} />)}</li>
            ))}
          </List>
        </Card>
      )}
      {finding.decided_at !== null && <DecidedCard opened={opened} />}
      {mayReopen(finding, rights) && <VerdictCard key={finding.state} finding={finding} rights={rights} />}
      {mayRewrite(finding, rights) && <FindingRemoval id={finding.id} onRemoved={onRemoved} />}
      {sheet === 'answer' && <AnswerSheet finding={finding} onClose={() => setSheet(null)} />}
      {sheet === 'change' && <WriteSheet about={finding} onClose={() => setSheet(null)} />}
    </>
  );
}

/** "Ada Moor, 3 May 2026, 10:00" */
function useByLine(names: OpenedFinding['names']) {
  const { t } = useTranslation('findings');
  const { formatInstant } = useFormat();
  return (who: string | null, at: string) =>
    t('facts.by', { name: names.get(who ?? '') || t('facts.somebody'), when: formatInstant(new Date(at)) });
}

function SeenCard({ opened: { finding, about, names }, renderRecord }: Pick<LoadedProps, 'opened' | 'renderRecord'>) {
  const { t } = useTranslation('findings');
  const by = useByLine(names);
  return (
    <Card label={t('seen')} className="parts findings-card">
      <h2 className="h2">{t('seen')}</h2>
      <p className="findings-words">{finding.body || t('noBody')}</p>
      <Facts
        look="under"
        facts={[
          [t('facts.about'), about.title === null ? t('facts.unknown') : renderRecord(about, about.title)],
          [t('facts.requirement'), finding.requirement],
          [t('facts.raised'), by(finding.raised_by, finding.raised_at)],
        ]}
      />
      <OwnerField finding={finding} names={names} />
    </Card>
  );
}

type FindingProps = { opened: OpenedFinding };

function AnswerCard({ opened: { finding, names } }: FindingProps) {
  const { t } = useTranslation('findings');
  const by = useByLine(names);
  return (
    <Card label={t('answer.title')} className="parts findings-card">
      <h2 className="h2">{t('answer.title')}</h2>
      <p className="findings-words">{finding.answer}</p>
      {finding.answered_at && <p className="sm muted">{by(finding.answered_by, finding.answered_at)}</p>}
    </Card>
  );
}

function DecidedCard({ opened: { finding, names } }: FindingProps) {
  const { t } = useTranslation('findings');
  const by = useByLine(names);
  return (
    <Card label={t('verdict.title')} className="parts findings-card">
      <h2 className="h2">{t('verdict.title')}</h2>
      {finding.verdict && <p className="findings-words">{finding.verdict}</p>}
      {finding.decided_at && <p className="sm muted">{by(finding.decided_by, finding.decided_at)}</p>}
    </Card>
  );
}

function FindingRemoval({ id, onRemoved }: { id: Finding['id']; onRemoved: () => void }) {
  const { t } = useTranslation('findings');
  const store = useStore();
  const words = {
    act: t('remove.act'),
    title: t('remove.title'),
    text: t('remove.text'),
    cancel: t('remove.cancel'),
    done: t('remove.done'),
  };
  const remove = () => store.write('findings.remove', tx => removeFinding(tx, id));
  return (
    <div>
      <Removal words={words} remove={remove} onRemoved={onRemoved} />
    </div>
  );
}
