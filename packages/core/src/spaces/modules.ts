import type { Row } from '@cairn/schema';

export type PlaybookType = Row<'playbooks'>['type'];

type Module = {
  path: string;
  /** Keys of its label in a company and in a personal playbook; left out in the world it is no part of. */
  company?: string;
  personal?: string;
  /** Who sees it in the navigation; everybody where left out. */
  permission?: string;
};

/** Every module of the product: its address, its label per playbook type. The words are texts of the app. */
export const modules = {
  dashboard: { path: '/dashboard', company: 'dashboard', personal: 'dashboard' },
  goals: { path: '/goals', personal: 'goals' },
  tasks: { path: '/tasks', company: 'tasks', personal: 'tasks' },
  'action-items': { path: '/action-items', company: 'actionItems', personal: 'tasks' },
  field: { path: '/field', company: 'field', personal: 'field' },
  workflows: { path: '/workflows', company: 'workflows' },
  contracts: { path: '/contracts', company: 'contracts' },
  'asset-management': { path: '/assets', company: 'assetManagement' },
  logistics: { path: '/logistics', company: 'logistics' },
  learning: { path: '/learning', company: 'learningHub', personal: 'learning' },
  'learning-hub': { path: '/learning-hub', company: 'learningHub' },
  lms: { path: '/lms', company: 'lms' },
  policies: { path: '/policies', company: 'policies', personal: 'policies' },
  'policy-marketplace': { path: '/policy-marketplace', company: 'policyMarketplace' },
  security: { path: '/security', company: 'security', personal: 'security' },
  collaboration: { path: '/collaboration', company: 'collaboration' },
  'support-circle': { path: '/support-circle', company: 'supportCircle', personal: 'supportCircle' },
  wellness: { path: '/wellness', company: 'wellness', personal: 'wellness' },
  insights: { path: '/insights', personal: 'insights' },
  ai: { path: '/ai', company: 'ai', personal: 'ai' },
  'triad-intelligence': { path: '/triad-intelligence', company: 'triadIntelligence', personal: 'ai' },
  analytics: { path: '/analytics', company: 'analytics', personal: 'analytics' },
  notifications: { path: '/notifications', company: 'notifications', personal: 'notifications' },
  'user-preferences': { path: '/settings', company: 'userPreferences', personal: 'userPreferences' },
  sync: { path: '/sync', company: 'sync', personal: 'sync' },
  profile: { path: '/profile', company: 'profile', personal: 'profile' },
  members: { path: '/members', company: 'members', permission: 'people.manage' },
  forms: { path: '/field/forms', company: 'forms', personal: 'forms', permission: 'form.manage' },
  organization: { path: '/organization', company: 'organization', permission: 'organization.manage' },
} as const satisfies Record<string, Module>;

export type ModuleId = keyof typeof modules;

type LabelKey<World extends PlaybookType, Each = (typeof modules)[ModuleId]> =
  Each extends Record<World, infer Label extends string> ? `${World}.${Label}` : never;
/** `<playbook type>.<label>`: where the app keeps the words. */
export type ModuleLabel = LabelKey<'company'> | LabelKey<'personal'>;

type ModuleGroups = readonly { group: string; modules: readonly ModuleId[]; isAdmin?: true }[];

/** The groups of each world in order, each with its modules in order. */
export const moduleGroups = {
  company: [
    { group: 'dashboard', modules: ['dashboard'] },
    { group: 'operations', modules: ['tasks', 'action-items', 'field', 'workflows'] },
    { group: 'estimating', modules: ['contracts'] },
    { group: 'assets', modules: ['asset-management', 'logistics'] },
    { group: 'learning', modules: ['learning-hub', 'lms'] },
    { group: 'governance', modules: ['policies', 'policy-marketplace', 'security'] },
    { group: 'collaboration', modules: ['collaboration', 'support-circle', 'wellness'] },
    { group: 'intelligence', modules: ['ai', 'triad-intelligence', 'analytics'] },
    { group: 'settings', modules: ['notifications', 'user-preferences', 'sync'] },
    { group: 'people', modules: ['members'], isAdmin: true },
    { group: 'content', modules: ['forms'], isAdmin: true },
    { group: 'system', modules: ['organization'], isAdmin: true },
  ],
  personal: [
    { group: 'journey', modules: ['dashboard'] },
    { group: 'goals', modules: ['goals', 'tasks', 'field', 'policies'] },
    { group: 'learning', modules: ['learning'] },
    { group: 'wellness', modules: ['wellness', 'support-circle'] },
    { group: 'intelligence', modules: ['insights', 'analytics', 'ai', 'triad-intelligence'] },
    { group: 'settings', modules: ['notifications', 'security', 'user-preferences', 'sync'] },
  ],
} as const satisfies Record<PlaybookType, ModuleGroups>;

type GroupKey<World extends PlaybookType> = `${World}.${(typeof moduleGroups)[World][number]['group']}`;
/** `<playbook type>.<group>`: where the app keeps the words. */
export type GroupLabel = GroupKey<'company'> | GroupKey<'personal'>;

/** The five of the bottom navigation, in order. */
const BOTTOM: readonly ModuleId[] = ['dashboard', 'tasks', 'learning', 'policies', 'field'];

/** On top of the sidebar, in order: the nine given, of which a personal playbook has those that are part of it. */
const PINNED: readonly ModuleId[] = [
  'dashboard',
  'learning-hub',
  'tasks',
  'lms',
  'policies',
  'asset-management',
  'sync',
  'analytics',
  'security',
];

const every: Readonly<Record<ModuleId, Module>> = modules;
const ids = Object.keys(modules) as ModuleId[];
const groupsOf: Readonly<Record<PlaybookType, ModuleGroups>> = moduleGroups;

/** Whether a playbook of this type has the module at all. */
export const isPartOf = (id: ModuleId, world: PlaybookType): boolean => every[id][world] !== undefined;

export const pathOf = (id: ModuleId): (typeof modules)[ModuleId]['path'] => modules[id].path;

/** The module's label in this world; that of the other world where it is no part of this one. */
export function labelOf(id: ModuleId, world: PlaybookType): ModuleLabel {
  const other = world === 'company' ? 'personal' : 'company';
  const shown = isPartOf(id, world) ? world : other;
  return `${shown}.${every[id][shown]}` as ModuleLabel;
}

/** The module an address lies in: the one with the longest path it starts with. Null for an address of no module. */
export function moduleAt(path: string): ModuleId | null {
  const around = ids.filter(id => path === every[id].path || path.startsWith(`${every[id].path}/`));
  return around.toSorted((a, b) => every[b].path.length - every[a].path.length)[0] ?? null;
}

export type NavigationRequest = {
  world: PlaybookType;
  /** Whether a module's screens stand; it is absent until they do. */
  isBuilt: (id: ModuleId) => boolean;
  may: (permission: string) => boolean;
};

export type Navigation = {
  bottom: ModuleId[];
  pinned: ModuleId[];
  groups: { label: GroupLabel; isAdmin: boolean; modules: ModuleId[] }[];
};

/** What a person's navigation shows in a playbook of a type. Groups with nothing in them are left out. */
export function navigation({ world, isBuilt, may }: NavigationRequest): Navigation {
  const isShown = (id: ModuleId): boolean => {
    const { permission } = every[id];
    return isPartOf(id, world) && isBuilt(id) && (permission === undefined || may(permission));
  };
  // Two modules may share a name ("AI Insights"): the first of them that stands is the entry.
  const isFirstOfItsName = (id: ModuleId, at: number, shown: readonly ModuleId[]): boolean =>
    shown.findIndex(other => labelOf(other, world) === labelOf(id, world)) === at;
  const groups = groupsOf[world].map(({ group, modules: held, isAdmin = false }) => ({
    label: `${world}.${group}` as GroupLabel,
    isAdmin,
    modules: held.filter(isShown).filter(isFirstOfItsName),
  }));
  return {
    bottom: BOTTOM.filter(isShown),
    pinned: PINNED.filter(isShown),
    groups: groups.filter(({ modules: held }) => held.length > 0),
  };
}
