import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openForReading } from '@cairn/core/policies/acknowledge.ts';
import { isWaiting } from '@cairn/core/policies/policy-status.ts';
import { openedPolicy, type OpenedPolicy } from '@cairn/core/policies/queries.ts';
import { policyFileOf } from '@cairn/core/policies/policy-file.ts';
import { asRead } from '@cairn/core/policies/policy-variables.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonHeading, SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { AcknowledgePanel } from './acknowledge/acknowledge-panel.tsx';
import { ApprovalPanel } from './authoring/approval-panel.tsx';
import type { Parts } from './document/document-props.ts';
import { DocumentView } from './document/document-view.tsx';
import { ManagePanel } from './authoring/manage-panel.tsx';
import { PolicyDiff } from './document/policy-diff.tsx';
import type { PolicyOnScreen, PolicyLinks } from './document/policy-links.ts';
import { PolicyHead } from './document/policy-head.tsx';
import { FoldedContents, PolicyContents, PolicyText } from './document/policy-text.tsx';
import { QuizKey } from './quiz/quiz-key.tsx';
import { useKnownValues } from './authoring/use-known-values.ts';
import { usePolicySections } from './document/use-markdown.ts';
import { useSectionsRead } from './document/use-sections-read.ts';
import { VersionsCard } from './document/versions-card.tsx';
import { worldKey } from './document/world-key.ts';
import './document/policies.css';

type Props = PolicyLinks & {
  policyId: string;
  /** The one to show; the one in force, or else the draft, where left out. */
  versionId: string | undefined;
};

/** One policy: its words, what is different, the reader's own word, and what whoever looks after it does. */
export function PolicyScreen(props: Props) {
  const { t } = useTranslation('policies');
  const { organization, userId, world } = useSpace();
  const found = useLive(openedPolicy(props.policyId, { organizationId: organization.id, userId }));
  if (found.status === 'loading') {
    return (
      <div className="parts foot-room">
        <SkeletonHeading label={t('loading')} />
        <SkeletonRows label={t('loading')} rows={6} start={false} />
      </div>
    );
  }
  const shown = found.answer && versionOf(found.answer, props.versionId);
  if (!found.answer || !shown) {
    return (
      <EmptyState level={1} title={t(worldKey('missing', world))} action={props.backLink}>
        {t(worldKey('missingText', world))}
      </EmptyState>
    );
  }
  return <Loaded key={shown.id} {...props} opened={found.answer} shown={shown} />;
}

function versionOf({ current, next, published }: OpenedPolicy, id: string | undefined): PolicyVersion | null {
  if (id === undefined) return current ?? next;
  return [...published, next].find(version => version?.id === id) ?? null;
}

function Loaded({ opened, shown: kept, ...links }: Props & PolicyOnScreen) {
  const values = useKnownValues();
  const shown = useMemo(() => asRead(kept, values), [kept, values]);
  const file = useMemo(() => policyFileOf(shown), [shown]);
  // What stands in a file is cut by the file.
  const { sections, isWaiting } = usePolicySections(file ? '' : shown.body);
  const [parts, setParts] = useState<Parts>(null);
  const [drawn, setDrawn] = useState(0);
  const onDrawn = useCallback(() => setDrawn(before => before + 1), []);
  const reading = useSectionsRead(`${shown.id}${shown.content_hash}/${drawn}`);
  const others = opened.published.filter(({ id }) => id !== shown.id);
  const [against, setAgainst] = useState<string | null>(null);
  const compared = others.find(({ id }) => id === against);
  useOpening(opened, shown);
  return (
    <div className="parts foot-room">
      {links.backLink}
      <div className="policy-columns">
        <div className="policy-start">
          <PolicyContents sections={sections} reading={reading} />
        </div>
        <article className="policy-doc">
          <PolicyHead opened={opened} shown={shown} compared={compared} onCompare={setAgainst} />
          {!compared && <FoldedContents sections={sections} reading={reading} />}
          <Showing opened={opened} shown={shown} renderVersion={links.renderVersion} />
          {compared ? (
            <PolicyDiff shown={shown} against={compared} others={others} onAgainst={setAgainst} />
          ) : (
            <>
              {file ? (
                <DocumentView
                  file={file}
                  read={reading.read}
                  onFrame={reading.onFrame}
                  onParts={setParts}
                  onDrawn={onDrawn}
                />
              ) : (
                <PolicyText sections={sections} isWaiting={isWaiting} onFrame={reading.onFrame} />
              )}
              <QuizKey version={shown} />
            </>
          )}
        </article>
        <aside className="parts policy-side">
          {!isWaiting && (
            <AcknowledgePanel
              opened={opened}
              shown={shown}
              sections={file ? parts : sections.length}
              sectionsRead={reading.read.size}
              {...links}
            />
          )}
          <ApprovalPanel subjectId={shown.id} />
          {shown.major === null && links.renderTalk(shown.id)}
          <ManagePanel opened={opened} shown={shown} {...links} />
          <VersionsCard opened={opened} shown={shown} {...links} />
        </aside>
      </div>
    </div>
  );
}

/** Who was asked and now has it on the screen has opened it. */
function useOpening({ status, current }: OpenedPolicy, shown: PolicyVersion): void {
  const store = useStore();
  const { userId } = useSpace();
  const isNew = isWaiting(status) && status.state === 'requested' && current?.id === shown.id;
  useEffect(() => {
    if (!isNew) return;
    const at = new Date().toISOString();
    // Nothing hangs on it: what cannot be noted now is noted with the word.
    store.write('policies.open', tx => openForReading(tx, { versionId: shown.id, userId, at })).catch(() => undefined);
  }, [isNew, store, shown.id, userId]);
}

function Showing({ opened, shown, renderVersion }: PolicyOnScreen & Pick<PolicyLinks, 'renderVersion'>) {
  const { t } = useTranslation('policies');
  const { may, world } = useSpace();
  const { policy, current, next } = opened;
  if (shown.state === 'superseded')
    return (
      <Banner
        title={t('showing.old', { number: `${shown.major}.${shown.minor}` })}
        action={renderVersion(null, t(worldKey('showing.current', world)), false)}
      />
    );
  if (policy.state === 'archived') return <Banner title={t('showing.archived')} />;
  if (shown.major === null)
    return (
      <Banner
        title={t(worldKey('showing.draft', world))}
        action={current && renderVersion(null, t(worldKey('showing.current', world)), false)}
      />
    );
  if (next?.state === 'in_review' && may('policy.approve'))
    return <Banner title={t('showing.review')} action={renderVersion(next.id, t('manage.look'), false)} />;
  return null;
}
