import { SkeletonArticle, SkeletonChart, SkeletonForm, SkeletonTable } from '../../src/feedback/skeleton-layouts.tsx';
import { SkeletonHeading, SkeletonRows, SkeletonTiles } from '../../src/feedback/skeleton.tsx';
import type { StoryGroup } from '../story.ts';

export const group: StoryGroup = {
  title: 'Loading',
  stories: [
    { name: 'Rows', Show: () => <SkeletonRows label="Loading inspections" /> },
    { name: 'Tiles', Show: () => <SkeletonTiles label="Loading figures" /> },
    { name: 'Heading', Show: () => <SkeletonHeading label="Loading the page" /> },
    { name: 'Table', Show: () => <SkeletonTable label="Loading policies" /> },
    { name: 'Form', Show: () => <SkeletonForm label="Loading settings" /> },
    { name: 'Chart', Show: () => <SkeletonChart label="Loading the chart" /> },
    { name: 'Article', Show: () => <SkeletonArticle label="Loading the policy" /> },
  ],
};
