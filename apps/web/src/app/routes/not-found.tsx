import { useLocation } from '@tanstack/react-router';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import '../shell/shell.css';

export const texts = loadTexts('shell');

export function NotFoundRoute() {
  return <NotFoundPage path={useLocation({ select: location => location.pathname })} />;
}
