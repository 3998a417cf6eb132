import { describe, expect, test } from 'vitest';
import { breakpointOf, deviceOf, from } from './breakpoints.ts';

describe('widths', () => {
  test.each([
    [0, 'xs'],
    [479, 'xs'],
    [480, 'sm'],
    [767, 'sm'],
    [768, 'md'],
    [1023, 'md'],
    [1024, 'lg'],
    [1279, 'lg'],
    [1280, 'xl'],
    [1535, 'xl'],
    [1536, '2xl'],
  ] as const)('R9.21 %d px is %s', (width, breakpoint) => {
    expect(breakpointOf(width)).toBe(breakpoint);
  });

  test.each([
    [767, 'mobile'],
    [768, 'tablet'],
    [1023, 'tablet'],
    [1024, 'desktop'],
  ] as const)('R9.22 %d px is %s', (width, device) => {
    expect(deviceOf(width)).toBe(device);
  });

  test('a breakpoint as a media query starts at its width', () => {
    expect(from('lg')).toBe('(min-width: 1024px)');
  });
});
