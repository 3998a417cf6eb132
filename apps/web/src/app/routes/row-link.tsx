import { useRef, type MouseEvent, type ReactNode } from 'react';
import { useRouter, type NavigateOptions } from '@tanstack/react-router';
import { rowClass } from '@cairn/ui/layout/surface.tsx';

/** Where a row of a long list leads. */
type Target =
  | { to: '/action-items/$actionId'; params: { actionId: string } }
  | { to: '/tasks/$taskId'; params: { taskId: string } };

type Props = { target: Target & NavigateOptions; className?: string; children: ReactNode };

const addressOf = ({ to, params }: Target): string =>
  Object.entries(params).reduce<string>(
    (path, [name, value]) => path.replace(`$${name}`, encodeURIComponent(value)),
    to,
  );

/** The browser's own: another tab, another window, a download. */
const isForBrowser = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

/**
 * The link of a row of which a scroll brings hundreds. The router's own `Link` works out its address by the whole tree of
 * routes and listens to each move of the page, which took longer than all else of a row; this one does so when it is pressed.
 */
export function RowLink({ target, className = rowClass, children }: Props) {
  const router = useRouter();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const preload = () => void router.preloadRoute(target);
  const cancel = () => clearTimeout(waiting.current);
  const meant = () => {
    cancel();
    waiting.current = setTimeout(preload, router.options.defaultPreloadDelay);
  };
  return (
    <a
      href={addressOf(target)}
      className={className}
      onClick={event => {
        if (event.defaultPrevented || isForBrowser(event)) return;
        event.preventDefault();
        cancel();
        void router.navigate(target);
      }}
      onTouchStart={preload}
      onFocus={meant}
      onMouseEnter={meant}
      onBlur={cancel}
      onMouseLeave={cancel}
    >
      {children}
    </a>
  );
}
