import type { FoundStory, StoryGroup } from './story.ts';

const files = import.meta.glob<{ group: StoryGroup }>('./stories/*.stories.tsx', { eager: true });

/** Every story, in the order of the groups' names. `id` is its address: "Buttons/Looks". */
export const allStories: readonly FoundStory[] = Object.values(files)
  .map(file => file.group)
  .toSorted((a, b) => a.title.localeCompare(b.title))
  .flatMap(group => group.stories.map(story => ({ id: `${group.title}/${story.name}`, group: group.title, story })));
