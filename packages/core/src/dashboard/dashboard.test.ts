import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import {
  dashboardConfig,
  dashboardSettings,
  defaultSettings,
  saveDashboardConfig,
  saveDashboardOrder,
  shownWidgets,
} from './config.ts';
import { orderedWidgets, widgetsOf, withOrder } from './widgets.ts';

const me = '00000000-0000-4000-8000-000000000003';
const everyOrder = fc.shuffledSubarray([...widgetsOf('company')], { minLength: 7 });

describe('the order of the widgets', () => {
  test('any order is read back as it was written, and the other world keeps its own', () => {
    fc.assert(
      fc.property(
        everyOrder,
        fc.shuffledSubarray([...widgetsOf('personal')], { minLength: widgetsOf('personal').length }),
        (company, personal) => {
          const layout = withOrder(withOrder('default', 'company', company), 'personal', personal);
          expect(orderedWidgets(layout, 'company')).toEqual(company);
          expect(orderedWidgets(layout, 'personal')).toEqual(personal);
        },
      ),
    );
  });

  test('whatever text is stored, every widget stands once', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant('company=tiles,gone,tiles;personal=')), text => {
        expect(orderedWidgets(text, 'company').toSorted()).toEqual([...widgetsOf('company')].toSorted());
      }),
    );
  });

  test('the default order is called default again', () => {
    const other = withOrder('default', 'company', ['tiles']);
    expect(other).toBe('company=tiles,journey,next,duties,compliance,arrivals,overdue');
    expect(withOrder(other, 'company', widgetsOf('company'))).toBe('default');
  });
});

describe('R3.19 the configuration', () => {
  test.each<[Json, ReturnType<typeof dashboardConfig>]>([
    [{}, defaultSettings.config],
    [null, defaultSettings.config],
    [
      { show_wellness_widgets: false, show_compliance_overview: 'no', default_view: 'never' },
      { show_wellness_widgets: false, show_compliance_overview: true, default_view: 'today' },
    ],
  ])('%j takes defaults for what is missing or odd', (stored, config) => {
    expect(dashboardConfig(stored)).toEqual(config);
  });

  test('a first choice writes the default preferences with it; later choices keep each other', async () => {
    const store = memoryStore({}, me);
    expect(await store.read(dashboardSettings(me))).toEqual(defaultSettings);
    await store.write('t', tx => saveDashboardConfig(tx, me, { default_view: 'week' }));
    await store.write('t', tx => saveDashboardOrder(tx, me, { world: 'company', order: ['duties'] }));
    await store.write('t', tx => saveDashboardConfig(tx, me, { show_compliance_overview: false }));
    expect(await store.read(dashboardSettings(me))).toEqual({
      config: { show_wellness_widgets: true, show_compliance_overview: false, default_view: 'week' },
      layout: 'company=duties,journey,next,tiles,compliance,arrivals,overdue',
    });
    const [row] = await store.read({ key: 'r', tables: ['user_preferences'], read: tx => tx.all('user_preferences') });
    expect(row).toMatchObject({ user_id: me, theme_mode: 'system', notification_time: '09:00' });
  });

  test('the two switches and the view decide what stands', () => {
    const off = { ...defaultSettings.config, show_compliance_overview: false, show_wellness_widgets: false };
    expect(shownWidgets(defaultSettings, 'company', 'overview')).toEqual([
      'tiles',
      'compliance',
      'arrivals',
      'overdue',
    ]);
    expect(shownWidgets({ ...defaultSettings, config: off }, 'company', 'overview')).not.toContain('compliance');
    expect(shownWidgets(defaultSettings, 'personal', 'today')).toContain('growth');
    expect(shownWidgets({ ...defaultSettings, config: off }, 'personal', 'today')).not.toContain('growth');
    expect(shownWidgets({ ...defaultSettings, layout: 'company=duties,next' }, 'company', 'today').slice(0, 2)).toEqual(
      ['duties', 'next'],
    );
  });
});
