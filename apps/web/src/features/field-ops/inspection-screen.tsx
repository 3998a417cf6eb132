import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { askedQuestions } from '@cairn/core/forms/definition/asked-questions.ts';
import type { CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { discardInspection } from '@cairn/core/inspections/discard-inspection.ts';
import { presenceLacks } from '@cairn/core/on-site/presence.ts';
import { presenceOf } from '@cairn/core/inspections/prove-presence.ts';
import { startScheduledInspection } from '@cairn/core/inspections/start-scheduled-inspection.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonHeading, SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { usedFeature } from '../../shared/analytics/used-feature.ts';
import { useFormat } from '../../shared/format/format.ts';
import { failureText } from '../../shared/errors/failure-text.ts';
import { OutOfService } from '../../shared/records/out-of-service.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { isOpen } from '@cairn/core/inspections/inspection-states.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { inspectionRecord, type InspectionRecord } from './inspections/inspection-queries.ts';
import { ProveCard, type Presence } from './on-site/prove-card.tsx';
import { NewerVersion } from './runner/newer-version.tsx';
import { ReadyCard } from './on-site/ready-card.tsx';
import { ReportScreen } from './report/report-screen.tsx';
import { RunnerScreen } from './runner/runner-screen.tsx';
import { compiledVersion } from './inspections/compiled-version.ts';
import { languageOf, useRunner } from './runner/use-runner.ts';
import { useReview, type RenderComments, type RenderSyncLink, type Review } from './review/use-review.ts';
import './runner/runner.css';

type Props = {
  inspectionId: string;
  /** A planned inspection begins without being asked again; `onStarting` says that it does. */
  startAtOnce?: boolean;
  onStarting?: () => void;
  onClose: () => void;
  /** The way to one action item, drawn by the route. */
  renderAction: (id: string, face: ReactNode) => ReactNode;
  renderComments: RenderComments;
  /** The way to what waits and what does not agree; drawn by the route. */
  renderSyncLink: RenderSyncLink;
};

/** One inspection: to be started, being done, or finished. */
export function InspectionScreen({ inspectionId, ...ways }: Props) {
  const { t } = useTranslation('field');
  const { onClose } = ways;
  const found = useLive(inspectionRecord(inspectionId));
  if (found.status === 'loading') {
    return (
      <div className="foot-room report">
        <SkeletonHeading label={t('runner.loading')} />
        <SkeletonRows label={t('runner.loading')} rows={3} />
      </div>
    );
  }
  if (!found.answer) {
    return <Stopped title={t('runner.missingTitle')} text={t('runner.missingText')} onClose={onClose} />;
  }
  return <Loaded key={inspectionId} record={found.answer} {...ways} />;
}

type LoadedProps = { record: InspectionRecord } & Omit<Props, 'inspectionId'>;

function Loaded({ record, startAtOnce = false, onStarting, renderComments, ...ways }: LoadedProps) {
  const { onClose, renderAction, renderSyncLink } = ways;
  const { t } = useTranslation('field');
  const { user } = useSignedIn();
  const review = useReview(record, renderComments);
  const compiled = compiledVersion(record.version);
  const { status, conducted_by: conductor, assigned_to: assigned } = record.inspection;
  const isOwn = conductor === user.id || assigned === user.id;
  if (!compiled) {
    const missing = record.version === undefined;
    return (
      <Stopped
        title={t(missing ? 'runner.arrivingTitle' : 'runner.unreadableTitle')}
        text={t(missing ? 'runner.arrivingText' : 'runner.unreadableText')}
        onClose={onClose}
      />
    );
  }
  if (status === 'scheduled') {
    const wish = { startAtOnce, onStarting };
    return <Scheduled record={record} compiled={compiled} onClose={onClose} {...wish} />;
  }
  if (isOpen(status) && (status === 'in_progress' || isOwn)) {
    // What was sent back opens at what a reviewer said of it.
    if (status === 'has_issues' && review.trail === null) return null;
    const running = { record, compiled, review, renderSyncLink, onClose };
    return compiled.form.presence ? <Proven {...running} /> : <Running {...running} presence={null} />;
  }
  const shown = { record, compiled, review, renderSyncLink, onClose, renderAction };
  return <ReportScreen {...shown} />;
}

function Stopped({ title, text, onClose }: { title: string; text: string; onClose: () => void }) {
  const { t } = useTranslation('field');
  return (
    <EmptyState level={1} title={title} action={<Button onClick={onClose}>{t('runner.toList')}</Button>}>
      {text}
    </EmptyState>
  );
}

type PartProps = { record: InspectionRecord; compiled: CompiledForm; onClose: () => void };

type RunningProps = PartProps & { review: Review; renderSyncLink: RenderSyncLink };

type Wish = { startAtOnce: boolean; onStarting: Props['onStarting'] };

function Scheduled({ record, compiled, onClose, startAtOnce, onStarting }: PartProps & Wish) {
  const { t } = useTranslation('field');
  const { t: tr } = useTranslation('review');
  const { formatDue, formatDay, formatTime } = useFormat();
  const store = useStore();
  const { user } = useSignedIn();
  const { may } = useSpace();
  const now = useNow();
  const { inspection } = record;
  const starting = useAction(async () => {
    await store.write('field-ops.start-scheduled', tx =>
      startScheduledInspection(tx, { id: inspection.id, by: user.id, at: new Date().toISOString() }),
    );
    usedFeature('inspection', 'begun');
  });
  const opens = inspection.opens_at === null ? null : new Date(inspection.opens_at);
  const opensAt = opens !== null && opens > now ? opens : null;
  const mayStart = may('inspection.conduct') && opensAt === null;
  const begun = useRef(false);
  useEffect(() => {
    if (!startAtOnce || !mayStart || begun.current) return;
    begun.current = true;
    starting.run();
    onStarting?.();
  });
  const due = inspection.due_at ? formatDue(new Date(inspection.due_at), now) : null;
  return (
    <div className="foot-room report">
      <h1 className="h1">{inspection.title}</h1>
      <p className="muted">
        {t('formList.questions', { count: askedQuestions(compiled) })}
        {due && (
          <>
            {' · '}
            <span className={`due ${due.state}`}>{t('row.due', { when: due.text })}</span>
          </>
        )}
      </p>
      {record.asset && <OutOfService asset={record.asset} isInspected />}
      {inspection.missed_at !== null && (
        <Banner tone="warn" title={tr('ready.missed')}>
          {tr('ready.missedText')}
        </Banner>
      )}
      {opensAt && <Banner title={tr('ready.opensAt', { when: `${formatDay(opensAt, now)} ${formatTime(opensAt)}` })} />}
      <FailureLine failure={starting.failure} />
      {mayStart ? (
        <div className="row wrap">
          <Button variant="primary" size="lg" busy={starting.busy} onClick={() => starting.run()}>
            {t('start')}
          </Button>
          <Button size="lg" onClick={onClose}>
            {t('runner.toList')}
          </Button>
        </div>
      ) : (
        !may('inspection.conduct') && <Banner title={t('startSheet.notAllowed')} />
      )}
      <ReadyCard record={record} />
    </div>
  );
}

/** Only where the form asks for it are the entries read. */
function Proven(props: RunningProps) {
  const { record, compiled } = props;
  const { user } = useSignedIn();
  const found = useLive(presenceOf(record.inspection.id));
  const entries = found.status === 'loading' ? [] : found.answer;
  const mustProve = compiled.form.presence === 'required';
  const part = <ProveCard record={record} entries={entries} mustProve={mustProve} />;
  const isLacking = mustProve && presenceLacks(entries, record.asset, user.id).length > 0;
  return <Running {...props} presence={{ part, isLacking }} />;
}

function Running({
  record,
  compiled,
  review,
  renderSyncLink,
  onClose,
  presence,
}: RunningProps & { presence: Presence }) {
  const { t } = useTranslation('failure');
  const { user } = useSignedIn();
  const name = user.fullName ?? user.email;
  const runner = useRunner(record, compiled, { id: user.id, name }, useNow());
  const [finishedAt, setFinished] = useState(false);
  const finishing = useAction(async (signed: Parameters<typeof runner.finish>[0]) => {
    await runner.finish(signed);
    setFinished(true);
  });
  const store = useStore();
  const discarding = useAction(async () => {
    await store.write('field-ops.discard', tx => discardInspection(tx, record.inspection.id), { together: true });
    onClose();
  });
  const failure = finishing.failure ?? discarding.failure;
  return (
    <RunnerScreen
      title={record.inspection.title}
      form={runner.form}
      mustSign={compiled.form.sign}
      signer={name}
      language={languageOf(compiled)}
      save={runner.save}
      acts={runner.acts}
      finish={{
        run: finishing.run,
        busy: finishing.busy || finishedAt,
        failure: failure && t(failureText[failure.code]),
      }}
      review={review}
      subject={{ status: record.inspection.status, aboutOneself: record.aboutOneself }}
      renderSyncLink={renderSyncLink}
      presence={presence}
      notice={record.asset && <OutOfService asset={record.asset} isInspected />}
      aside={<NewerVersion record={record} compiled={compiled} runner={runner} />}
      onDiscard={record.inspection.status === 'in_progress' ? discarding.run : null}
      onClose={onClose}
    />
  );
}
