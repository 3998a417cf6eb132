import { useSyncExternalStore } from 'react';
import { allStories } from './all-stories.ts';
import type { FoundStory } from './story.ts';

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** For the test that looks at every story: the ids of those that are not shown beside others. */
const ALONE = allStories
  .filter(each => each.story.alone)
  .map(each => each.id)
  .join();

const address = () => decodeURIComponent(location.hash.slice(1));

/** Shows the story of the address, the stories of a group, or with no address all that stand beside others. */
export function Stage() {
  const wanted = useSyncExternalStore(subscribe, address);
  const shown = allStories.filter(each =>
    wanted === '' ? !each.story.alone : each.id === wanted || (each.group === wanted && !each.story.alone),
  );
  return (
    <main className="stage" data-stage={wanted} data-alone={ALONE}>
      <h1 className="sr">{wanted || 'All stories'}</h1>
      {shown.map(each => (
        <StoryFrame key={each.id} found={each} />
      ))}
    </main>
  );
}

function StoryFrame({ found }: { found: FoundStory }) {
  const { Show, name } = found.story;
  return (
    <div className="story" data-story={found.id}>
      <p className="story-name">
        {found.group} · {name}
      </p>
      <Show />
    </div>
  );
}
