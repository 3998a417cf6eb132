/**
 * The `ref` of a bar that stays at the foot of the screen: messages stand above it, so that none lies on what is pressed next.
 */
export function stickToFoot(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const resized = new ResizeObserver(() => style.setProperty('--foot', `${bar.offsetHeight}px`));
  resized.observe(bar);
  return () => {
    resized.disconnect();
    style.removeProperty('--foot');
  };
}
