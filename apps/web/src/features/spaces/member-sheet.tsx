import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeMember, removeMember, type Member, type Members } from '@cairn/core/spaces/members.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { dayOf, endOf } from './end-day.ts';
import { MemberFields, type MemberDraft } from './member-fields.tsx';

type Props = { member: Member; sites: Members['sites']; onClose: () => void };

/** One member: their role, sites and end, and the way out of the organisation. */
export function MemberSheet({ member, sites, onClose }: Props) {
  const { t } = useTranslation('spaces');
  const name = member.name ?? t('members.unnamed');
  const [draft, setDraft] = useState<MemberDraft>({
    role: member.role,
    siteIds: member.siteIds,
    lastDay: dayOf(member.validUntil),
  });
  const [removing, setRemoving] = useState(false);
  const acts = useMemberActs(member, draft, onClose);
  const failure = acts.save.failure ?? acts.remove.failure;
  return (
    <>
      <Sheet
        open
        onOpenChange={open => !open && onClose()}
        title={name}
        closeLabel={t('close')}
        actions={
          <>
            {!member.isLastAdmin && (
              <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
                {t('members.remove')}
              </Button>
            )}
            <Button variant="primary" busy={acts.save.busy} onClick={() => acts.save.run()}>
              {t('save')}
            </Button>
          </>
        }
      >
        <div className="spaces-form">
          {member.isLastAdmin && <Banner title={t('members.lastAdmin')}>{t('members.lastAdminText')}</Banner>}
          <MemberFields draft={draft} onChange={setDraft} sites={sites} disabled={member.isLastAdmin} />
          <FailureLine failure={failure} />
        </div>
      </Sheet>
      <Confirm
        open={removing}
        onOpenChange={setRemoving}
        title={t('members.removeTitle', { name })}
        confirmLabel={t('members.remove')}
        cancelLabel={t('members.keep')}
        danger
        onConfirm={() => acts.remove.run()}
      >
        {t('members.removeText')}
      </Confirm>
    </>
  );
}

function useMemberActs(member: Member, draft: MemberDraft, onDone: () => void) {
  const { t } = useTranslation('spaces');
  const store = useStore();
  const save = useCallback(async () => {
    const { role, siteIds, lastDay } = draft;
    // The day as it was keeps its very instant.
    const validUntil = lastDay === dayOf(member.validUntil) ? member.validUntil : endOf(lastDay);
    await store.write('spaces.changeMember', tx =>
      changeMember(tx, { membershipId: member.id, role, siteIds, validUntil }),
    );
    toast({ title: t('members.saved') });
    onDone();
  }, [draft, member, onDone, store, t]);
  const remove = useCallback(async () => {
    await store.write('spaces.removeMember', tx => removeMember(tx, member.id));
    toast({ title: t('members.removed') });
    onDone();
  }, [member.id, onDone, store, t]);
  return { save: useAction(save), remove: useAction(remove) };
}
