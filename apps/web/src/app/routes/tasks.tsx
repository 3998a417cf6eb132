import { useTranslation } from 'react-i18next';
import { TasksScreen } from '../../features/dashboard/tasks-screen.tsx';
import { dashboard } from '../../shared/i18n/en/dashboard.ts';
import { addTexts } from '../../shared/i18n/start-i18n.ts';
import { useSpace } from '../../shared/space.ts';

addTexts('dashboard', dashboard);

export function TasksRoute() {
  const { t } = useTranslation('shell');
  const { world } = useSpace();
  return <TasksScreen title={t(world === 'personal' ? 'tasks.personalTitle' : 'tasks.title')} />;
}
