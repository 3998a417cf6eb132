import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyticsEvent, APP_VERSION, FEATURES, tellable, type EventContext } from './analytics-event.ts';

const context: EventContext = {
  id: 'e1',
  timestamp: '2026-11-21T08:00:00.000Z',
  user_id: 'sam',
  session_id: 's1',
  device_info: { version: APP_VERSION, platform: 'web', screen: 'xs', touch: true, installed: false },
  network_info: { online: true, effective_type: '4g' },
};

describe('an analytics event', () => {
  test('R3.40 R9.18 has the specified fields, and its device info carries version 1.0.0', () => {
    expect(analyticsEvent('page_view', { route: '/field/$inspectionId' }, context)).toEqual({
      id: 'e1',
      event_type: 'page_view',
      event_category: 'navigation',
      event_data: { route: '/field/$inspectionId' },
      timestamp: '2026-11-21T08:00:00.000Z',
      user_id: 'sam',
      session_id: 's1',
      device_info: { version: '1.0.0', platform: 'web', screen: 'xs', touch: true, installed: false },
      network_info: { online: true, effective_type: '4g' },
    });
  });

  test('whatever is handed in, only fields of the list leave, each with a value of its list', () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.dictionary(
        fc.constantFrom('route', 'feature', 'error_code', 'fault', 'duration_ms', 'count', 'online', 'note'),
        fc.anything(),
      ),
    );
    fc.assert(
      fc.property(anything, given => {
        const told = tellable(given);
        for (const [key, value] of Object.entries(told)) {
          expect(['route', 'feature', 'error_code', 'fault', 'duration_ms', 'count', 'online']).toContain(key);
          const isKnown = key !== 'feature' || (FEATURES as readonly unknown[]).includes(value);
          const isWhole = !['duration_ms', 'count'].includes(key) || Number.isInteger(value);
          expect({ isKnown, isWhole }).toEqual({ isKnown: true, isWhole: true });
        }
        expect(tellable(told)).toEqual(told);
      }),
    );
  });

  test('no sentence of a person gets in, under whichever name it comes', () => {
    const names = fc.constantFrom<string>('route', 'feature', 'error_code', 'fault', 'title', 'note', 'mood', 'text');
    // What people write: words with a space, a digit, a capital or a letter beyond a to z.
    const written = fc
      .tuple(fc.string({ minLength: 1 }), fc.constantFrom(' ', '7', 'Ä', '.'), fc.string())
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(names, written, (name, text) => {
        const event = analyticsEvent('feature_used', { [name]: text }, context);
        expect(event.event_data).toEqual({});
      }),
    );
  });

  test.each(['/goals/be less sad', '/field/0f1e', '/wellness?mood=2', 'https://x', '/a/b/c/d/e/f', '//x'])(
    '%s is no pattern of a route',
    route => {
      expect(tellable({ route })).toEqual({});
    },
  );

  test.each(['/', '/dashboard', '/field/forms', '/action-items/$actionId', '/policy-marketplace'])(
    '%s is a pattern of a route',
    route => {
      expect(tellable({ route })).toEqual({ route });
    },
  );

  test('what is inherited is not told', () => {
    expect(tellable(Object.create({ count: 3 }))).toEqual({});
  });
});
