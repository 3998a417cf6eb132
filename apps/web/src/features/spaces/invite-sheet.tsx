import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Members } from '@cairn/core/spaces/members.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useSpace } from '../../shared/session/space.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { endOf } from './end-day.ts';
import { MemberFields, type MemberDraft } from './member-fields.tsx';
import { type MadeInvitation, TokenOnce } from './token-once.tsx';
import { useServerAction, type RefusalText } from './use-server.ts';

type Props = {
  sites: Members['sites'];
  /** What is filled in to begin with. */
  initial?: MemberDraft;
  onClose: () => void;
};

const MEMBER: MemberDraft = { role: 'member', siteIds: [], lastDay: '' };

const CHANGES = ['invitations'];

/** An invitation for one person: by e-mail, or as a link to hand on. */
export function InviteSheet({ sites, initial = MEMBER, onClose }: Props) {
  const { t } = useTranslation('spaces');
  const [email, setEmail] = useState('');
  const [draft, setDraft] = useState(initial);
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const inviting = useInviting(setMade);
  if (made)
    return (
      <TokenOnce
        title={t('invite.made')}
        parameter="invitation_token"
        token={made.token}
        note={made.mailed ? t('invite.mailed', { email: made.email ?? '' }) : t('invite.handOn')}
        onClose={onClose}
      />
    );
  return (
    <FormSheet
      title={t('invite.title')}
      description={t('invite.text')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={email.trim() === '' ? t('invite.makeLink') : t('invite.send')}
      busy={inviting.busy}
      onSave={() => void inviting.run(email, draft)}
    >
      <Input
        type="email"
        label={t('invite.email')}
        hint={t('invite.emailHint')}
        autoComplete="off"
        value={email}
        onChange={event => setEmail(event.target.value)}
      />
      <MemberFields draft={draft} onChange={setDraft} sites={sites} />
      {inviting.problem && <Banner tone="bad" title={inviting.problem} />}
    </FormSheet>
  );
}

function useInviting(onMade: (made: MadeInvitation) => void) {
  const { t } = useTranslation('spaces');
  const { organization } = useSpace();
  const send = useCallback(
    async (calls: ServerCalls, email: string, { role, siteIds, lastDay }: MemberDraft) => {
      const made = await calls.send<MadeInvitation>('people/invite', {
        organization_id: organization.id,
        email: email.trim() === '' ? null : email.trim(),
        role,
        site_ids: siteIds,
        valid_until: role === 'admin' ? null : endOf(lastDay),
      });
      onMade(made);
    },
    [onMade, organization.id],
  );
  const words = useMemo(
    (): RefusalText => refusal => {
      if (refusal.code === '22023') return t('invite.invalid');
      return ['P0001', 'PT429'].includes(refusal.code) ? t('invite.tooMany') : null;
    },
    [t],
  );
  return useServerAction(send, { operation: t('invite.send'), changes: CHANGES, words });
}
