import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { shell } from '../../shared/i18n/en/shell.ts';
import { areasOf } from './areas.ts';

const i18n = createInstance();
await i18n.init({ lng: 'en', resources: { en: { shell } } });
const t = i18n.getFixedT('en', 'shell');

describe('navigation by world', () => {
  test('R2.36 a company playbook uses its labels', () => {
    const labels = areasOf('company').map(({ label }) => t(label));
    expect(labels).toContain('Dashboard');
    expect(labels).toContain('Action Items');
    expect(labels).toContain('Sync & Offline');
  });

  test('R2.37 a personal playbook uses its labels', () => {
    const labels = areasOf('personal').map(({ label }) => t(label));
    expect(labels).toContain('My Journey');
    expect(labels).toContain('My Actions');
    expect(labels).not.toContain('Dashboard');
  });

  test.each(['company', 'personal'] as const)(
    'the %s bottom navigation holds at most five names, each a part of its label',
    world => {
      const bottom = areasOf(world).filter(area => area.bottom);
      expect(bottom.length).toBeLessThanOrEqual(5);
      for (const area of bottom) expect(t(area.label)).toContain(t(area.short));
    },
  );
});
