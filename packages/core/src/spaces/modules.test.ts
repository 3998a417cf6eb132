import { describe, expect, test } from 'vitest';
import {
  isPartOf,
  labelOf,
  moduleAt,
  moduleGroups,
  modules,
  navigation,
  pathOf,
  type ModuleId,
  type PlaybookType,
} from './modules.ts';

const ids = Object.keys(modules) as ModuleId[];
const everything = { isBuilt: () => true, may: () => true };
const of = (world: PlaybookType) => navigation({ world, ...everything });

describe('what a playbook offers', () => {
  test('what belongs to one world only is no part of the other', () => {
    expect(ids.filter(id => !isPartOf(id, 'personal'))).toEqual([
      'workflows',
      'contracts',
      'asset-management',
      'logistics',
      'learning-hub',
      'lms',
      'policy-marketplace',
      'collaboration',
      'members',
      'organization',
    ]);
    expect(ids.filter(id => !isPartOf(id, 'company'))).toEqual(['goals', 'insights']);
  });
});

describe('navigation', () => {
  test.each(['company', 'personal'] as const)('the bottom navigation of a %s playbook has five in order', world => {
    expect(of(world).bottom).toEqual(['dashboard', 'tasks', 'learning', 'policies', 'field']);
  });

  test('the sidebar of a company playbook pins nine, with their addresses', () => {
    expect(of('company').pinned.map(id => [id, pathOf(id)])).toEqual([
      ['dashboard', '/dashboard'],
      ['learning-hub', '/learning-hub'],
      ['tasks', '/tasks'],
      ['lms', '/lms'],
      ['policies', '/policies'],
      ['asset-management', '/assets'],
      ['sync', '/sync'],
      ['analytics', '/analytics'],
      ['security', '/security'],
    ]);
    expect(of('personal').pinned).toEqual(['dashboard', 'tasks', 'policies', 'sync', 'analytics', 'security']);
  });

  test('what is not built yet is nowhere, and a group with nothing in it is hidden', () => {
    const stands = new Set<ModuleId>(['dashboard', 'tasks', 'field', 'sync']);
    const shown = navigation({ world: 'company', isBuilt: id => stands.has(id), may: () => true });
    expect(shown.bottom).toEqual(['dashboard', 'tasks', 'field']);
    expect(shown.pinned).toEqual(['dashboard', 'tasks', 'sync']);
    expect(shown.groups.map(({ label, modules: held }) => [label, held])).toEqual([
      ['company.dashboard', ['dashboard']],
      ['company.operations', ['tasks', 'field']],
      ['company.settings', ['sync']],
    ]);
  });

  test('R2.35 an admin group shows to whoever holds a permission inside it, and to nobody else', () => {
    const adminGroups = (may: (permission: string) => boolean) =>
      navigation({ world: 'company', isBuilt: () => true, may })
        .groups.filter(group => group.isAdmin)
        .map(group => group.label);
    expect(adminGroups(() => false)).toEqual([]);
    expect(adminGroups(permission => permission === 'form.manage')).toEqual(['company.content']);
    expect(adminGroups(() => true)).toEqual(['company.people', 'company.content', 'company.system']);
  });

  test('no module stands in two groups of one world', () => {
    for (const world of ['company', 'personal'] as const) {
      const all = moduleGroups[world].flatMap(group => [...group.modules]);
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

describe('an address', () => {
  test.each([
    ['/tasks', 'tasks'],
    ['/field', 'field'],
    ['/field/00000000-0000-4000-8000-000000000101', 'field'],
    ['/field/forms', 'forms'],
    ['/settings/appearance', 'user-preferences'],
    ['/fields', null],
    ['/', null],
  ] as const)('%s lies in module %s', (path, module) => {
    expect(moduleAt(path)).toBe(module);
  });

  test('has the label of the open world, or of its own where it is no part of that', () => {
    expect(labelOf('tasks', 'personal')).toBe('personal.tasks');
    expect(labelOf('goals', 'company')).toBe('personal.goals');
  });
});
