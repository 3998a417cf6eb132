import { useEffect, useRef, useState } from 'react';
import { SearchInput } from '../src/controls/search-input.tsx';
import { applyLook } from '../src/tokens/look.ts';
import { allStories } from './all-stories.ts';
import { LookControls, startView, type View } from './look-controls.tsx';

/** The list, the switches, and the stage in a frame of the chosen width. */
export function Browser() {
  const [view, setView] = useState<View>(startView);
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(() => decodeURIComponent(location.hash.slice(1)));
  const frame = useRef<HTMLIFrameElement>(null);

  const paint = () => {
    const page = frame.current?.contentDocument?.documentElement;
    if (!page) return;
    applyLook(page, view);
    page.setAttribute('dir', view.direction);
  };
  useEffect(paint, [view]);
  useEffect(() =>
    applyLook(document.documentElement, { ...view, tone: 'company', accent: 'blue', fontSize: 'medium' }),
  );

  const show = (id: string) => {
    setOpen(id);
    history.replaceState(null, '', `#${encodeURIComponent(id)}`);
  };
  return (
    <div className="catalogue">
      <nav className="catalogue-list" aria-label="Components">
        <SearchInput label="Find a component" value={query} onChange={setQuery} clearLabel="Clear" />
        <StoryList query={query} open={open} onShow={show} />
      </nav>
      <div className="catalogue-main">
        <LookControls view={view} onChange={setView} />
        <div className="catalogue-ground">
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- the frame is this very page */}
          <iframe
            ref={frame}
            title="Story"
            src={`?stage#${encodeURIComponent(open)}`}
            style={{ width: view.width }}
            onLoad={paint}
          />
        </div>
      </div>
    </div>
  );
}

function StoryList({ query, open, onShow }: { query: string; open: string; onShow: (id: string) => void }) {
  const words = query.toLowerCase().split(/\s+/);
  const found = allStories.filter(({ id }) => words.every(word => id.toLowerCase().includes(word)));
  const groups = [...new Set(found.map(each => each.group))];
  if (groups.length === 0) return <p className="muted sm pad">No component has that name.</p>;
  return groups.map(group => (
    <div key={group}>
      <button type="button" className="catalogue-link head" aria-current={open === group} onClick={() => onShow(group)}>
        {group}
      </button>
      {found
        .filter(each => each.group === group)
        .map(({ id, story }) => (
          <button
            key={id}
            type="button"
            className="catalogue-link"
            aria-current={open === id}
            onClick={() => onShow(id)}
          >
            {story.name}
          </button>
        ))}
    </div>
  ));
}
