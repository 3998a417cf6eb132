import { useEffect, useState } from 'react';
import { useRouter } from '@tanstack/react-router';
import { loadTexts } from '../../../shared/i18n/load-texts.ts';
import { SpaceProvider } from '../../space/space-provider.tsx';
import { BottomNavigation } from './navigation.tsx';
import { QuietBoundary } from '../errors/quiet-boundary.tsx';
import './shell.css';

export const texts = loadTexts('shell', 'modules');

/** The bottom navigation without the frame. What it leads to is known once the routes of the signed-in screens are here. */
export function BottomDock() {
  const { grow } = useRouter().options.context;
  const [isGrown, setGrown] = useState(false);
  useEffect(() => {
    let isHere = true;
    // Without a network and nothing kept of the app there is nowhere to lead to.
    grow().then(
      () => isHere && setGrown(true),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [grow]);
  if (!isGrown) return null;
  return (
    <QuietBoundary>
      <SpaceProvider whileReading={null} whenNone={null}>
        <div className="outside-room" />
        <div className="dock">
          <BottomNavigation />
        </div>
      </SpaceProvider>
    </QuietBoundary>
  );
}
