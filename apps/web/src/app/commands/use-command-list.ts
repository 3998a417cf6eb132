import { useNavigate } from '@tanstack/react-router';
import { Activity, ClipboardPlus, HeartPulse, Keyboard, ListPlus, PanelLeft, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { pathOf, type ModuleId } from '@cairn/core/spaces/modules.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { moduleIcons } from '../shell/navigation/module-icons.ts';
import { useIsBuilt, useNavigation } from '../shell/navigation/use-navigation.ts';
import { useLabels } from '../shell/navigation/use-labels.ts';
import type { Side } from '../shell/navigation/use-side.ts';
import type { Command } from './command.ts';
import { useFieldCommands } from './use-field-commands.ts';
import { usePlaceCommands } from './use-place-commands.ts';
import { useSettingCommands } from './use-setting-commands.ts';

/** The letter that follows `g`. */
const GO: Partial<Record<ModuleId, string>> = {
  dashboard: 'd',
  tasks: 't',
  'action-items': 'a',
  field: 'f',
  goals: 'g',
  learning: 'l',
  'learning-hub': 'l',
  policies: 'o',
  wellness: 'w',
  'support-circle': 'c',
  analytics: 'y',
  notifications: 'n',
  'user-preferences': ',',
  security: 'x',
  sync: 's',
  profile: 'p',
};

/** Everything a person may do from anywhere here, in the order the palette shows it. */
export function useCommandList(side: Side, showKeys: () => void): Command[] {
  const screens = useScreenCommands();
  const actions = useActionCommands(side, showKeys);
  const field = useFieldCommands();
  const places = usePlaceCommands();
  const settings = useSettingCommands();
  return [...screens, ...actions, ...field, ...places, ...settings];
}

function useScreenCommands(): Command[] {
  const navigate = useNavigate();
  const labels = useLabels(useSpace().world);
  const { groups } = useNavigation();
  const ids: ModuleId[] = [...groups.flatMap(group => group.modules), 'profile'];
  return ids.map(id => {
    const path: string = pathOf(id);
    const shortcut = GO[id];
    return {
      id: `go/${id}`,
      kind: 'screens',
      title: labels.module(id),
      icon: moduleIcons[id],
      ...(shortcut !== undefined && { keys: ['g', shortcut] }),
      run: () => void navigate({ to: path }),
    };
  });
}

function useActionCommands(side: Side, showKeys: () => void): Command[] {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { may } = useSpace();
  const { engine } = useSignedIn();
  const isBuilt = useIsBuilt();
  const act = (id: string, command: Omit<Command, 'id' | 'kind'>): Command => ({ id, kind: 'actions', ...command });
  const inspect = act('new-inspection', {
    title: t('commands.newInspection'),
    icon: ClipboardPlus,
    keys: ['n', 'i'],
    run: () => void navigate({ to: '/field', search: { start: true } }),
  });
  const mend = act('new-action', {
    title: t('commands.newAction'),
    icon: ListPlus,
    keys: ['n', 'a'],
    run: () => void navigate({ to: '/action-items', search: { new: true } }),
  });
  const checkIn = act('check-in', {
    title: t('commands.checkIn'),
    icon: HeartPulse,
    keys: ['n', 'c'],
    run: () => void navigate({ to: '/wellness' }),
  });
  return [
    ...(may('inspection.conduct') && isBuilt('field') ? [inspect] : []),
    ...(may('action.create') && isBuilt('action-items') ? [mend] : []),
    checkIn,
    act('sync-now', { title: t('commands.syncNow'), icon: RefreshCw, run: () => engine.syncNow() }),
    act('side', {
      title: t(side.isFull ? 'side.collapse' : 'side.expand'),
      icon: PanelLeft,
      keys: ['['],
      run: side.toggle,
    }),
    act('keys', { title: t('keys.title'), icon: Keyboard, keys: ['?'], run: showKeys }),
    act('debug', { title: t('commands.debug'), icon: Activity, run: () => void navigate({ to: '/debug' }) }),
  ];
}
