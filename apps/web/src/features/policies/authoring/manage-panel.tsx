import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { beginNextVersion, removePolicy } from '@cairn/core/policies/write-policy.ts';
import { isEditable, nextNumber } from '@cairn/core/policies/version-states.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { CampaignList } from '../acknowledge/campaign-list.tsx';
import { DetailsSheet } from './details-sheet.tsx';
import type { PolicyOnScreen, PolicyLinks } from '../document/policy-links.ts';
import { SubmitSheet } from './submit-sheet.tsx';
import {
  archivePolicy,
  publishVersion,
  reopenVersion,
  usePolicyCall,
  withdrawRequest,
} from '../document/use-policy-call.ts';
import { worldKey } from '../document/world-key.ts';

type Props = PolicyOnScreen &
  Pick<PolicyLinks, 'renderVersion' | 'renderEdit' | 'renderReport' | 'onEdit' | 'onRemoved'>;

/** What whoever looks after a policy does with it. */
export function ManagePanel(props: Props) {
  const { t } = useTranslation('policies');
  const { may, world } = useSpace();
  const { policy } = props.opened;
  const [isOpen, setOpen] = useState(false);
  const canSee = may('policy.report') && policy.current_version_id !== null && world === 'company';
  if (!may('policy.author') && !may('policy.publish')) return canSee ? props.renderReport(t('manage.report')) : null;
  return (
    <Card label={t('manage.title')} className="stack">
      <h2 className="h2">{t('manage.title')}</h2>
      <NextActs {...props} />
      {policy.state === 'published' && world === 'company' && <CampaignList opened={props.opened} />}
      <div className="row wrap">
        {canSee && props.renderReport(t('manage.report'))}
        {may('policy.author') && <Button onClick={() => setOpen(true)}>{t('manage.details')}</Button>}
        <OutOfForce {...props} />
      </div>
      {isOpen && <DetailsSheet policy={policy} onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** What comes next with the words: written, sent, approved, put in force. */
function NextActs({ opened, shown, renderEdit, renderVersion, onEdit }: Props) {
  const { t } = useTranslation('policies');
  const { may, organization } = useSpace();
  const store = useStore();
  const { policy, next } = opened;
  const [isSending, setSending] = useState(false);
  const beginning = useAction(async () => {
    await store.write('policies.next-version', tx => beginNextVersion(tx, policy.id), { together: true });
    onEdit();
  });
  if (policy.state === 'archived' || !may('policy.author')) return null;
  if (!next)
    return (
      <>
        <FailureLine failure={beginning.failure} />
        <Button busy={beginning.busy} onClick={() => beginning.run()}>
          {t('manage.write')}
        </Button>
      </>
    );
  const isPrivate = organization.kind === 'private';
  return (
    <>
      {shown.id !== next.id && renderVersion(next.id, t('manage.look'), false)}
      {isEditable(next.state) && (
        <div className="row wrap">
          {renderEdit(t('manage.goOn'))}
          {!isPrivate && (
            <Button variant="primary" onClick={() => setSending(true)}>
              {t('manage.submit')}
            </Button>
          )}
        </div>
      )}
      {(next.state === 'approved' || (isPrivate && isEditable(next.state))) && <Publish opened={opened} />}
      {next.state === 'in_review' && next.approval_id !== null && <Withdraw requestId={next.approval_id} />}
      {isSending && <SubmitSheet version={next} onClose={() => setSending(false)} />}
    </>
  );
}

function Publish({ opened: { policy, current, next } }: Pick<Props, 'opened'>) {
  const { t } = useTranslation('policies');
  const { may, world, organization } = useSpace();
  const publishing = usePolicyCall(publishVersion);
  const reopening = usePolicyCall(reopenVersion);
  const [asks, setAsks] = useState(false);
  if (!next || !may('policy.publish')) return null;
  const number = nextNumber(current, next.change);
  const publish = async () => {
    if (await publishing.run(next.id)) toast({ title: t(worldKey('manage.published', world), { number }) });
  };
  const consequence = () => {
    if (!current || organization.kind === 'private') return t('manage.publishFirst');
    return next.change === 'major'
      ? t('manage.publishMajor')
      : t('manage.publishMinor', { major: policy.current_major ?? 1 });
  };
  const problem = publishing.problem ?? reopening.problem;
  return (
    <>
      {problem !== null && <Banner tone="bad" title={problem} />}
      <div className="row wrap">
        <Button
          variant="primary"
          busy={publishing.busy}
          onClick={() => (organization.kind === 'private' ? void publish() : setAsks(true))}
        >
          {t(`manage.publish.${world}`, { number })}
        </Button>
        {next.state === 'approved' && (
          <Button busy={reopening.busy} onClick={() => void reopening.run(next.id)}>
            {t('manage.reopen')}
          </Button>
        )}
      </div>
      {next.state === 'approved' && <p className="sm muted">{t('manage.reopenText')}</p>}
      <Confirm
        open={asks}
        onOpenChange={setAsks}
        title={t(`manage.publish.${world}`, { number })}
        confirmLabel={t(`manage.publish.${world}`, { number })}
        cancelLabel={t('cancel')}
        onConfirm={() => void publish()}
      >
        {consequence()} {t('manage.online')}
      </Confirm>
    </>
  );
}

function Withdraw({ requestId }: { requestId: string }) {
  const { t } = useTranslation('policies');
  const withdrawing = usePolicyCall(withdrawRequest);
  return (
    <>
      {withdrawing.problem !== null && <Banner tone="bad" title={withdrawing.problem} />}
      <Button busy={withdrawing.busy} onClick={() => void withdrawing.run(requestId)}>
        {t('manage.withdraw')}
      </Button>
    </>
  );
}

function OutOfForce({ opened: { policy }, onRemoved }: Props) {
  const { t } = useTranslation('policies');
  const { may, world } = useSpace();
  const store = useStore();
  const archiving = usePolicyCall(archivePolicy);
  const [asks, setAsks] = useState(false);
  const removing = useAction(async () => {
    await store.write('policies.remove', tx => removePolicy(tx, policy.id));
    onRemoved();
  });
  const isDraft = policy.current_version_id === null;
  if (isDraft ? !may('policy.author') : !may('policy.publish')) return null;
  if (policy.state === 'archived')
    return (
      <Button busy={archiving.busy} onClick={() => void archiving.run(policy.id, false)}>
        {t('manage.unarchive')}
      </Button>
    );
  const act = isDraft ? 'remove' : 'archive';
  return (
    <>
      <Button busy={archiving.busy || removing.busy} onClick={() => setAsks(true)}>
        {t(`manage.${act}`)}
      </Button>
      {archiving.problem !== null && <Banner tone="bad" title={archiving.problem} />}
      <Confirm
        open={asks}
        onOpenChange={setAsks}
        title={t(worldKey(`manage.${act}Title`, world))}
        confirmLabel={t(`manage.${act}`)}
        cancelLabel={t('cancel')}
        danger={isDraft}
        onConfirm={() => (isDraft ? removing.run() : void archiving.run(policy.id, true))}
      >
        {t(worldKey(`manage.${act}Text`, world))}
      </Confirm>
    </>
  );
}
