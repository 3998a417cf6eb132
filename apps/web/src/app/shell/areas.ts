import { CircleCheck, ClipboardCheck, LayoutDashboard, RefreshCw } from 'lucide-react';
import type { IconOf } from '@cairn/ui/icon.tsx';
import type { World } from '../../shared/app-state.ts';
import type { shell } from '../../shared/i18n/en/shell.ts';

type Names<Group extends 'areas' | 'personalAreas' | 'short'> =
  `${Group}.${Extract<keyof (typeof shell)[Group], string>}`;
type AreaName = Names<'areas'> | Names<'personalAreas'> | Names<'short'>;

export type Area = {
  to: string;
  icon: IconOf;
  /** The whole label: sidebar, accessible name, tip. */
  label: AreaName;
  /** The word under the icon of the bottom navigation, a part of the label (product decision 19). */
  short: AreaName;
  /** Whether it stands in the bottom navigation too. */
  bottom: boolean;
};

const COMPANY: readonly Area[] = [
  { to: '/dashboard', icon: LayoutDashboard, label: 'areas.dashboard', short: 'areas.dashboard', bottom: true },
  { to: '/tasks', icon: CircleCheck, label: 'areas.tasks', short: 'areas.tasks', bottom: true },
  { to: '/field', icon: ClipboardCheck, label: 'areas.field', short: 'short.field', bottom: true },
  { to: '/sync', icon: RefreshCw, label: 'areas.sync', short: 'areas.sync', bottom: false },
];

const PERSONAL: readonly Area[] = [
  {
    to: '/dashboard',
    icon: LayoutDashboard,
    label: 'personalAreas.dashboard',
    short: 'personalAreas.dashboard',
    bottom: true,
  },
  { to: '/tasks', icon: CircleCheck, label: 'personalAreas.tasks', short: 'personalAreas.tasks', bottom: true },
  { to: '/field', icon: ClipboardCheck, label: 'personalAreas.field', short: 'short.daily', bottom: true },
  { to: '/sync', icon: RefreshCw, label: 'areas.sync', short: 'areas.sync', bottom: false },
];

/** The areas that stand, in the order of the navigation, with the names of the open playbook's world. */
export const areasOf = (world: World): readonly Area[] => (world === 'personal' ? PERSONAL : COMPANY);
