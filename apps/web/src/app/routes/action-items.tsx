import { Link, useNavigate } from '@tanstack/react-router';
import { rowClass } from '@cairn/ui/surface.tsx';
import { ActionsScreen } from '../../features/action-items/actions-screen.tsx';
import { actions } from '../../shared/i18n/en/actions.ts';
import { addTexts } from '../../shared/i18n/start-i18n.ts';

addTexts('actions', actions);

export function ActionItemsRoute() {
  const navigate = useNavigate();
  return (
    <ActionsScreen
      actionLink={(actionId, face) => (
        <Link to="/action-items/$actionId" params={{ actionId }} className={rowClass}>
          {face}
        </Link>
      )}
      onMade={actionId => void navigate({ to: '/action-items/$actionId', params: { actionId } })}
    />
  );
}
