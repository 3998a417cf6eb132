import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { rowClass } from '@cairn/ui/surface.tsx';
import { ActionsScreen } from '../../features/action-items/actions-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useModuleLabel } from '../shell/use-labels.ts';

export const texts = loadTexts('actions');

export function ActionItemsRoute() {
  const { new: isNew = false } = useSearch({ from: '/signed-in/action-items' });
  const title = useModuleLabel('action-items');
  const navigate = useNavigate();
  return (
    <ActionsScreen
      title={title}
      makeAtOnce={isNew}
      onMaking={() => void navigate({ to: '/action-items', replace: true })}
      renderAction={(actionId, face) => (
        <Link to="/action-items/$actionId" params={{ actionId }} className={rowClass}>
          {face}
        </Link>
      )}
      onMade={actionId => void navigate({ to: '/action-items/$actionId', params: { actionId } })}
    />
  );
}
