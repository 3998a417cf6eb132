import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { NavigationOutside } from '../shell/navigation/navigation-outside.tsx';
import { NothingHere } from '../shell/not-found/nothing-here.tsx';
import '../shell/navigation/shell.css';

export const texts = loadTexts('shell');

/** What an address leads to that a server or an old link can produce, and nothing is there (R2.22). */
export function NotFoundRoute() {
  return (
    <>
      <main className="alone">
        <NothingHere />
      </main>
      <NavigationOutside />
    </>
  );
}
