/** Widths in css px at which a breakpoint begins; below `sm` is `xs`. */
export const BREAKPOINTS = { sm: 480, md: 768, lg: 1024, xl: 1280, '2xl': 1536 } as const;

export type Breakpoint = 'xs' | keyof typeof BREAKPOINTS;
export type Device = 'mobile' | 'tablet' | 'desktop';

/** The breakpoint a width (css px) falls in. */
export function breakpointOf(width: number): Breakpoint {
  if (width >= BREAKPOINTS['2xl']) return '2xl';
  if (width >= BREAKPOINTS.xl) return 'xl';
  if (width >= BREAKPOINTS.lg) return 'lg';
  if (width >= BREAKPOINTS.md) return 'md';
  return width >= BREAKPOINTS.sm ? 'sm' : 'xs';
}

/** Mobile below 768 css px, tablet below 1024, desktop from there. */
export function deviceOf(width: number): Device {
  if (width >= BREAKPOINTS.lg) return 'desktop';
  return width >= BREAKPOINTS.md ? 'tablet' : 'mobile';
}

/** The media query that holds from a breakpoint upwards, for matchMedia. */
export const from = (breakpoint: keyof typeof BREAKPOINTS): string => `(min-width: ${BREAKPOINTS[breakpoint]}px)`;
