import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UserRoundCheck } from 'lucide-react';
import { revokeDelegation, type ListedDelegation, type WindowState } from '@cairn/core/approvals/delegations.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill, type Tone } from '@cairn/ui/feedback/pill.tsx';
import { RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';

const TONES: Record<WindowState, Tone> = { now: 'accent', coming: 'info', over: 'neutral', revoked: 'neutral' };

/** One time somebody is away: who decides in their name, and the way to end it. */
export function DelegationRow({ listed: { delegation, state, fromName, toName } }: { listed: ListedDelegation }) {
  const { t } = useTranslation('workflows');
  const { formatDate } = useFormat();
  const { userId, may } = useSpace();
  const store = useStore();
  const [ending, setEnding] = useState(false);
  const revoking = useAction(() =>
    store.write('approvals.revoke', tx => revokeDelegation(tx, delegation.id, new Date().toISOString())),
  );
  const isDeputy = delegation.to_id === userId;
  const isOpen = state === 'now' || state === 'coming';
  const mayEnd = isOpen && (delegation.from_id === userId || may('people.manage'));
  const somebody = t('somebody');
  const names = { away: fromName ?? somebody, deputy: toName ?? somebody };
  // The end is the first moment that is no longer part of it.
  const last = new Date(Date.parse(delegation.ends_at) - 1);
  const days = t('deputies.days', { from: formatDate(new Date(delegation.starts_at)), until: formatDate(last) });
  return (
    <li className="item workflow-row">
      <RowFace
        start={
          <RowIcon tone={state === 'now' ? 'accent' : 'neutral'}>
            <Icon of={UserRoundCheck} />
          </RowIcon>
        }
        title={t(isDeputy ? 'deputies.lineDeputy' : 'deputies.line', names)}
        detail={[days, delegation.reason].filter(Boolean).join(' · ')}
        end={<Pill tone={TONES[state]}>{t(`deputies.state.${state}`)}</Pill>}
      />
      {mayEnd && (
        <Button size="sm" variant="danger-quiet" busy={revoking.busy} onClick={() => setEnding(true)}>
          {t('deputies.revoke')}
        </Button>
      )}
      <FailureLine failure={revoking.failure} />
      <Confirm
        open={ending}
        onOpenChange={setEnding}
        title={t('deputies.revokeTitle')}
        confirmLabel={t('deputies.revoke')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => revoking.run()}
      >
        {t('deputies.revokeText', names)}
      </Confirm>
    </li>
  );
}
