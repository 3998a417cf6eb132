import type { Json, Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import { DEFAULT_LAYOUT, dashboardViews, orderedWidgets, widgetsIn, withOrder } from './widgets.ts';
import type { DashboardView, DashboardWorld, Widget } from './widgets.ts';

/** `user_preferences.dashboard_config`. */
export type DashboardConfig = {
  show_wellness_widgets: boolean;
  show_compliance_overview: boolean;
  default_view: DashboardView;
};

/** A person's dashboard as chosen; `layout` as `user_preferences.dashboard_layout` holds it. */
export type DashboardSettings = { config: DashboardConfig; layout: string };

export const defaultSettings: DashboardSettings = {
  config: { show_wellness_widgets: true, show_compliance_overview: true, default_view: 'today' },
  layout: DEFAULT_LAYOUT,
};

const fieldsOf = (json: Json): Record<string, Json> =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};

/** Reads the stored config; a field that is missing or odd takes its default. */
export function dashboardConfig(json: Json): DashboardConfig {
  const fields = fieldsOf(json);
  const { config } = defaultSettings;
  const flag = (name: 'show_wellness_widgets' | 'show_compliance_overview') =>
    typeof fields[name] === 'boolean' ? fields[name] : config[name];
  return {
    show_wellness_widgets: flag('show_wellness_widgets'),
    show_compliance_overview: flag('show_compliance_overview'),
    default_view: dashboardViews.find(view => view === fields['default_view']) ?? config.default_view,
  };
}

/** How a person's dashboard is set, from the copy on this device; the defaults where nothing was ever saved. */
export function dashboardSettings(userId: string): Query<DashboardSettings> {
  return {
    key: `dashboard/settings/${userId}`,
    tables: ['user_preferences'],
    async read(tx) {
      const row = await tx.get('user_preferences', userId);
      return row ? { config: dashboardConfig(row.dashboard_config), layout: row.dashboard_layout } : defaultSettings;
    },
  };
}

/** Where a widget belongs to one of the two switches. */
const SWITCH_OF: Partial<Record<Widget, 'show_wellness_widgets' | 'show_compliance_overview'>> = {
  compliance: 'show_compliance_overview',
  growth: 'show_wellness_widgets',
  checkIn: 'show_wellness_widgets',
  habits: 'show_wellness_widgets',
  goals: 'show_wellness_widgets',
};

/** The widgets that stand on the dashboard now, in the person's order. */
export function shownWidgets(
  { config, layout }: DashboardSettings,
  world: DashboardWorld,
  view: DashboardView,
): Widget[] {
  const inView = widgetsIn(view, world);
  return orderedWidgets(layout, world).filter(widget => {
    const need = SWITCH_OF[widget];
    return inView.includes(widget) && (need === undefined || config[need]);
  });
}

const present = (tx: WriteTx, userId: string): Promise<Row<'user_preferences'> | undefined> =>
  tx.get('user_preferences', userId);

/** Changes part of the config; whoever never saved preferences gets the default ones with it. */
export async function saveDashboardConfig(
  tx: WriteTx,
  userId: string,
  change: Partial<DashboardConfig>,
): Promise<void> {
  const row = await present(tx, userId);
  // Fields that only a newer app knows stay.
  const kept = row ? fieldsOf(row.dashboard_config) : {};
  const dashboard_config = { ...kept, ...dashboardConfig(kept), ...change };
  await tx.put('user_preferences', { id: userId, user_id: userId, dashboard_config });
}

/** Keeps another order of the widgets of one world. */
export async function saveDashboardOrder(
  tx: WriteTx,
  userId: string,
  { world, order }: { world: DashboardWorld; order: readonly Widget[] },
): Promise<void> {
  const row = await present(tx, userId);
  const dashboard_layout = withOrder(row?.dashboard_layout ?? DEFAULT_LAYOUT, world, order);
  await tx.put('user_preferences', { id: userId, user_id: userId, dashboard_layout });
}
