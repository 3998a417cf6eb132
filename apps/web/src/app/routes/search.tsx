import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchScreen } from '../commands/search-screen.tsx';

export function SearchRoute() {
  const { q = '' } = useSearch({ from: '/signed-in/search' });
  const navigate = useNavigate();
  // In the address, so that the way back from a record finds the same list.
  const keep = (typed: string) =>
    void navigate({ to: '/search', search: typed === '' ? {} : { q: typed }, replace: true });
  return <SearchScreen typed={q} onTyped={keep} />;
}
