import { TasksScreen } from '../../features/dashboard/tasks-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useModuleLabel } from '../shell/use-labels.ts';

export const texts = loadTexts('dashboard');

export function TasksRoute() {
  return <TasksScreen title={useModuleLabel('tasks')} />;
}
