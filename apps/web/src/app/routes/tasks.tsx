import { useTranslation } from 'react-i18next';
import { TasksScreen } from '../../features/dashboard/tasks-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/space.ts';

export const texts = loadTexts('dashboard');

export function TasksRoute() {
  const { t } = useTranslation('shell');
  const { world } = useSpace();
  return <TasksScreen title={t(world === 'personal' ? 'tasks.personalTitle' : 'tasks.title')} />;
}
