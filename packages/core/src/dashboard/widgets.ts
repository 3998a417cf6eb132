/** The world of a playbook; each has a dashboard of its own. */
export type DashboardWorld = 'company' | 'personal';

export const companyWidgets = ['journey', 'next', 'tiles', 'duties', 'compliance', 'arrivals', 'overdue'] as const;
export const personalWidgets = ['journey', 'checkIn', 'habits', 'goals', 'tiles', 'duties', 'growth'] as const;

export type Widget = (typeof companyWidgets)[number] | (typeof personalWidgets)[number];

/** What the dashboard opens with: today's duties, those of the next seven days, or how things stand. */
export const dashboardViews = ['today', 'week', 'overview'] as const;
export type DashboardView = (typeof dashboardViews)[number];

/** Every widget of a world in the order a new person finds them. */
export const widgetsOf = (world: DashboardWorld): readonly Widget[] =>
  world === 'company' ? companyWidgets : personalWidgets;

/** What `user_preferences.dashboard_layout` holds before anybody moved anything. */
export const DEFAULT_LAYOUT = 'default';

/**
 * Reads `user_preferences.dashboard_layout`: `default`, or `company=tiles,next;personal=duties`. Names nobody knows are
 * left out, widgets that are missing follow in their default order: a newer app's layout still works here.
 */
export function orderedWidgets(layout: string, world: DashboardWorld): Widget[] {
  const all = widgetsOf(world);
  const part = layout.split(';').find(each => each.startsWith(`${world}=`));
  const named = (part?.slice(world.length + 1).split(',') ?? []).filter((name): name is Widget =>
    all.some(widget => widget === name),
  );
  return [...new Set([...named, ...all])];
}

/** The layout with another order for one world; `default` where every order is the default one. */
export function withOrder(layout: string, world: DashboardWorld, order: readonly Widget[]): string {
  const orders = { company: orderedWidgets(layout, 'company'), personal: orderedWidgets(layout, 'personal') };
  orders[world] = orderedWidgets(`${world}=${order.join(',')}`, world);
  const moved = (['company', 'personal'] as const).filter(each => orders[each].join() !== widgetsOf(each).join());
  return moved.length === 0 ? DEFAULT_LAYOUT : moved.map(each => `${each}=${orders[each].join(',')}`).join(';');
}

const COMPANY_VIEWS: Record<DashboardView, readonly Widget[]> = {
  today: ['journey', 'next', 'tiles', 'duties', 'arrivals', 'overdue'],
  week: ['duties'],
  overview: ['tiles', 'compliance', 'arrivals', 'overdue'],
};
const PERSONAL_VIEWS: Record<DashboardView, readonly Widget[]> = {
  today: ['journey', 'checkIn', 'habits', 'goals', 'tiles', 'duties', 'growth'],
  week: ['duties'],
  overview: ['goals', 'tiles', 'growth'],
};

/** Which widgets stand in a view at all. */
export const widgetsIn = (view: DashboardView, world: DashboardWorld): readonly Widget[] =>
  (world === 'company' ? COMPANY_VIEWS : PERSONAL_VIEWS)[view];
