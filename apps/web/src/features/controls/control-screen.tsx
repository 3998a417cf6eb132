import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { X } from 'lucide-react';
import {
  answerableRecords,
  openedControl,
  type CoveringDocument,
  type OpenedControl,
} from '@cairn/core/evidence/coverage.ts';
import { linkControl, unlinkControl, type ControlTarget } from '@cairn/core/controls/take-framework.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Combobox } from '@cairn/ui/controls/combobox.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonHeading } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { ActionChip } from './action-chip.tsx';
import { COVERAGE_FACES } from './framework-screen.tsx';
import './controls.css';

type Props = {
  controlId: string;
  renderBack: (frameworkId: string | null) => ReactNode;
  renderPolicy: (policyId: string, face: ReactNode) => ReactNode;
  renderAction: (actionId: string, face: ReactNode) => ReactNode;
  /** The evidence about it. */
  evidence: ReactNode;
};

/** One control: what it asks for, which policies and forms answer to it, and the evidence that it is met. */
export function ControlScreen({ controlId, renderBack, renderPolicy, renderAction, evidence }: Props) {
  const { t } = useTranslation('controls');
  const found = useLive(openedControl(controlId, useToday()));
  if (found.status === 'loading') return <SkeletonHeading label={t('loading')} />;
  if (found.answer === null)
    return (
      <EmptyState level={1} title={t('missing')} action={renderBack(null)}>
        {t('missingText')}
      </EmptyState>
    );
  const { control, coverage, framework } = found.answer;
  return (
    <div className="parts foot-room controls">
      {renderBack(control.framework_id)}
      <div className="page-head">
        <h1 className="h1">{`${control.label} ${control.title}`}</h1>
      </div>
      <div className="row wrap">
        <StatusChip state={COVERAGE_FACES[coverage]}>{t(`chip.${coverage}`)}</StatusChip>
        <span className="muted">{[framework?.title, control.family].filter(Boolean).join(' · ')}</span>
      </div>
      <Card label={t('control.statement')} className="parts controls-card">
        <h2 className="h2">{t('control.statement')}</h2>
        <p className="controls-statement">{control.statement || t('control.noStatement')}</p>
      </Card>
      <AnsweringCard opened={found.answer} renderPolicy={renderPolicy} />
      {evidence}
      <ActionsCard actions={found.answer.actions} renderAction={renderAction} />
    </div>
  );
}

type ActionsProps = { actions: OpenedControl['actions']; renderAction: Props['renderAction'] };

/** What is to be mended about it, as plans of action say. */
function ActionsCard({ actions, renderAction }: ActionsProps) {
  const { t } = useTranslation('controls');
  if (actions.length === 0) return null;
  return (
    <Card flush>
      <CardHead title={t('control.actions')} />
      <List label={t('control.actions')}>
        {actions.map(({ id, title, status }) => (
          <li key={id}>{renderAction(id, <RowFace title={title} end={<ActionChip status={status} />} />)}</li>
        ))}
      </List>
    </Card>
  );
}

type AnsweringProps = { opened: OpenedControl; renderPolicy: Props['renderPolicy'] };

function AnsweringCard({ opened: { control, answering }, renderPolicy }: AnsweringProps) {
  const { t } = useTranslation('controls');
  const { may } = useSpace();
  const store = useStore();
  const unlinking = useAction(async (id: string) => {
    await store.write('controls.unlink', tx => unlinkControl(tx, control.id, id));
    toast({ title: t('control.removed') });
  });
  const nameOf = ({ title }: CoveringDocument) => title ?? t('control.unknown');
  return (
    <Card label={t('control.answering')} className="parts controls-card">
      <h2 className="h2">{t('control.answering')}</h2>
      {answering.length === 0 && <p className="muted">{t('control.none')}</p>}
      <ul className="controls-answering">
        {answering.map(record => (
          <li key={record.id}>
            <span className="grow">
              {record.table === 'policies' && record.title !== null
                ? renderPolicy(record.id, nameOf(record))
                : nameOf(record)}{' '}
              <span className="muted sm">{t(`control.${record.table}`)}</span>
            </span>
            {may('control.manage') && (
              <IconButton
                icon={X}
                label={t('control.remove', { name: nameOf(record) })}
                onClick={() => unlinking.run(record.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {may('control.manage') && <LinkForm controlId={control.id} />}
      <FailureLine failure={unlinking.failure} />
    </Card>
  );
}

function LinkForm({ controlId }: { controlId: string }) {
  const { t } = useTranslation('controls');
  const { organization } = useSpace();
  const store = useStore();
  const known = useLive(answerableRecords(organization.id));
  const records = known.status === 'ready' ? known.answer : [];
  const [chosen, setChosen] = useState<string | null>(null);
  const linking = useAction(async ({ table, id }: ControlTarget) => {
    const whole = { controlId, organizationId: organization.id, target: { table, id } };
    await store.write('controls.link', tx => linkControl(tx, whole));
    setChosen(null);
  });
  const target = records.find(({ id }) => id === chosen);
  return (
    <div className="controls-link">
      <Combobox
        label={t('control.field')}
        words={{ placeholder: t('control.choose'), search: t('control.search'), none: t('control.nothing') }}
        options={records.map(({ id, table, title }) => ({ value: id, label: `${title} · ${t(`control.${table}`)}` }))}
        value={chosen}
        onChange={setChosen}
      />
      <Button disabled={!target} busy={linking.busy} onClick={() => target && linking.run(target)}>
        {t('control.add')}
      </Button>
      <FailureLine failure={linking.failure} />
    </div>
  );
}
