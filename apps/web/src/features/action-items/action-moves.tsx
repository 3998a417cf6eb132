import { useTranslation } from 'react-i18next';
import { EllipsisVertical } from 'lucide-react';
import { mayMove, transitions, type ActionStatus } from '@cairn/core/action-items/action-status.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button, IconButton } from '@cairn/ui/button.tsx';
import { Menu } from '@cairn/ui/menu.tsx';
import { failureText } from '../../shared/failure-text.ts';
import type { Action } from './action-screen-queries.ts';
import { useChangeAction } from './use-change-action.ts';

/** The usual way on from each state; the rest is in the menu. */
const ONWARD: Record<ActionStatus, readonly ActionStatus[]> = {
  open: ['in_progress'],
  assigned: ['in_progress'],
  in_progress: ['ready_for_verification'],
  ready_for_verification: ['closed', 'needs_revision'],
  needs_revision: ['in_progress'],
  closed: [],
  risk_accepted: [],
  duplicate: [],
  not_valid: [],
};

/** What can be done with an action item in its present state. */
export function ActionMoves({ item }: { item: Action }) {
  const { t } = useTranslation('actions');
  const { t: tFailure } = useTranslation('failure');
  const change = useChangeAction(item.id);
  const move = (status: ActionStatus) =>
    change.run(
      { status },
      t('moved', { status: t(`status.${status}`) }),
      mayMove(status, item.status) ? { status: item.status } : null,
    );
  const onward = ONWARD[item.status];
  // Assigning is done by choosing a person.
  const others = transitions[item.status].filter(status => status !== 'assigned' && !onward.includes(status));
  return (
    <>
      <div className="row wrap action-moves">
        {onward.map((status, index) => (
          <Button key={status} variant={index === 0 ? 'primary' : 'quiet'} busy={change.busy} onClick={() => move(status)}>
            {t(`move.${status}`)}
          </Button>
        ))}
        {others.length > 0 && (
          <Menu
            trigger={<IconButton icon={EllipsisVertical} label={t('more')} />}
            entries={others.map(status => ({ label: t(`move.${status}`), onSelect: () => move(status) }))}
          />
        )}
      </div>
      {change.failure && <Banner tone="bad" title={tFailure(failureText[change.failure.code])} />}
    </>
  );
}
