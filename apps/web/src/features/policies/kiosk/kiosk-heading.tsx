import { useEffect, useRef, type ReactNode } from 'react';

/** The heading of a page of the kiosk; takes the focus, for the page before it is gone. */
export function KioskHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo(0, 0);
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="h1">
      {children}
    </h1>
  );
}
