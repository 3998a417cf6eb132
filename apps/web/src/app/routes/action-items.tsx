import { Link, useNavigate } from '@tanstack/react-router';
import { rowClass } from '@cairn/ui/surface.tsx';
import { ActionsScreen } from '../../features/action-items/actions-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('actions');

export function ActionItemsRoute() {
  const navigate = useNavigate();
  return (
    <ActionsScreen
      renderAction={(actionId, face) => (
        <Link to="/action-items/$actionId" params={{ actionId }} className={rowClass}>
          {face}
        </Link>
      )}
      onMade={actionId => void navigate({ to: '/action-items/$actionId', params: { actionId } })}
    />
  );
}
