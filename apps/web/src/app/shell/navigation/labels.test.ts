import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { labelOf, modules, navigation, type ModuleId } from '@cairn/core/spaces/modules.ts';
import texts from '../../../shared/i18n/en/modules.json';

const i18n = createInstance();
await i18n.init({ lng: 'en', resources: { en: { modules: texts } } });
const t = i18n.getFixedT('en', 'modules');

type World = 'company' | 'personal';
const labels = (world: World, ids: readonly ModuleId[]) => ids.map(id => t(`labels.${labelOf(id, world)}`));
const groups = (world: World, isAdmin: boolean) =>
  navigation({ world, isBuilt: () => true, may: () => true })
    .groups.filter(group => group.isAdmin === isAdmin)
    .map(group => t(`groups.${group.label}`));

test('company labels, to the letter', () => {
  const ids: ModuleId[] = [
    'tasks',
    'policies',
    'lms',
    'learning-hub',
    'asset-management',
    'ai',
    'collaboration',
    'workflows',
    'policy-marketplace',
    'contracts',
    'logistics',
    'field',
    'sync',
    'analytics',
    'security',
    'support-circle',
    'wellness',
    'notifications',
    'user-preferences',
  ];
  expect(labels('company', ids)).toEqual([
    'Action Items',
    'Policy Statements',
    'Training Programs',
    'Learning Hub',
    'Asset Management',
    'AI Intelligence',
    'Collaboration Hub',
    'Workflow Automation',
    'Policy Marketplace',
    'Contract Management',
    'Logistics',
    'Field Operations',
    'Sync & Offline',
    'Analytics',
    'Security',
    'Support Circle',
    'Wellness Check-ins',
    'Notifications',
    'User Preferences',
  ]);
});

test('personal labels, to the letter', () => {
  const ids: ModuleId[] = [
    'dashboard',
    'goals',
    'wellness',
    'learning',
    'tasks',
    'policies',
    'field',
    'support-circle',
    'analytics',
    'security',
    'insights',
    'ai',
    'user-preferences',
  ];
  expect(labels('personal', ids)).toEqual([
    'My Journey',
    'Personal Goals',
    'Wellness Journey',
    'Learning Path',
    'My Actions',
    'Personal Principles',
    'Daily Activities',
    'My Circle',
    'My Progress',
    'Privacy',
    'Personal Insights',
    'AI Insights',
    'My Preferences',
  ]);
});

test('R2.35 company groups and admin groups, to the letter', () => {
  expect(groups('company', false)).toEqual([
    'Dashboard',
    'Operations & Projects',
    'Estimating & Pricing',
    'Assets & Logistics',
    'Learning & Development',
    'Governance & Compliance',
    'Collaboration & Support',
    'Intelligence & Insights',
    'Settings & Preferences',
  ]);
  expect(groups('company', true)).toEqual(['People & Access', 'Content & Configuration', 'System & Settings']);
});

test('personal groups, to the letter', () => {
  expect(groups('personal', false)).toEqual([
    'My Journey',
    'Goals & Growth',
    'Learning & Development',
    'Wellness & Support',
    'Insights & Intelligence',
    'My Settings',
  ]);
});

test('two modules of one sidebar never share a name', () => {
  for (const world of ['company', 'personal'] as const) {
    const { groups: shown } = navigation({ world, isBuilt: () => true, may: () => true });
    const names = labels(
      world,
      shown.flatMap(group => group.modules),
    );
    expect(new Set(names).size).toBe(names.length);
  }
  expect(Object.keys(modules)).toContain('dashboard');
});
