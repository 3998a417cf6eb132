import { useState } from 'react';
import { CircleCheck, Flag, Pencil } from 'lucide-react';
import { Accordion } from '../../src/layout/accordion.tsx';
import { Breadcrumbs } from '../../src/layout/breadcrumbs.tsx';
import { CodeBlock } from '../../src/data/code-block.tsx';
import { Pagination } from '../../src/data/pagination.tsx';
import { Tabs } from '../../src/layout/tabs.tsx';
import { TextLink } from '../../src/controls/text-link.tsx';
import { Timeline } from '../../src/data/timeline.tsx';
import { Tree } from '../../src/data/tree.tsx';
import type { StoryGroup } from '../story.ts';

function Tabbed() {
  const [tab, setTab] = useState('open');
  return (
    <Tabs
      label="Action items"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'open', label: 'Open', count: 7, content: <p>Seven wait.</p> },
        { value: 'done', label: 'Done', content: <p>All of last week.</p> },
        { value: 'all', label: 'Sicherheitsrelevante Maßnahmen', content: <p>Everything.</p> },
      ]}
    />
  );
}

function Pages() {
  const [page, setPage] = useState(4);
  return (
    <Pagination
      label="Pages of receipts"
      page={page}
      pages={16}
      onChange={setPage}
      previousLabel="Back"
      nextLabel="On"
      pageLabel={each => `Page ${each}`}
      figure={`${page * 20 - 19}–${page * 20} of 312`}
    />
  );
}

const SITES = [
  {
    id: 'north',
    label: 'Site North',
    children: [
      { id: 'bay-1', label: 'Bay 1', detail: '4 assets' },
      { id: 'bay-2', label: 'Bay 2', children: [{ id: 'fork-3', label: 'Forklift 3' }] },
    ],
  },
  { id: 'south', label: 'Betriebsstätte Süd', children: [{ id: 'yard', label: 'Yard' }] },
];

function Sites() {
  const [site, setSite] = useState<string | null>('bay-2');
  return <Tree label="Sites" nodes={SITES} value={site} onChange={setSite} open={['north', 'bay-2']} />;
}

export const group: StoryGroup = {
  title: 'Structure',
  stories: [
    { name: 'Tabs', Show: Tabbed },
    {
      name: 'Accordion',
      Show: () => (
        <Accordion
          level={2}
          open={['a']}
          folds={[
            {
              value: 'a',
              title: 'What works offline',
              detail: 'Most of it',
              content: <p>Inspections, photos, check-ins.</p>,
            },
            { value: 'b', title: 'Was mit Verbindung geht', content: <p>Marktplatz und Auswertungen.</p> },
          ]}
        />
      ),
    },
    {
      name: 'Breadcrumbs',
      Show: () => (
        <Breadcrumbs
          label="You are here"
          current="Lockout and tagout"
          links={[
            { key: 'home', link: <a href="#home">Policy Statements</a> },
            { key: 'pack', link: <a href="#pack">Machine safety</a> },
          ]}
        />
      ),
    },
    { name: 'Pagination', Show: Pages },
    { name: 'Tree', Show: Sites },
    {
      name: 'Timeline',
      Show: () => (
        <Timeline
          label="History of the action item"
          moments={[
            {
              id: '1',
              icon: Flag,
              tone: 'bad',
              title: 'Finding in Forklift 3 check',
              when: '21 Nov, 08:14',
              at: '2026-11-21T08:14:00Z',
            },
            {
              id: '2',
              icon: Pencil,
              title: 'Given to Mona',
              when: '21 Nov, 09:02',
              at: '2026-11-21T09:02:00Z',
              detail: 'By Sam',
            },
            {
              id: '3',
              icon: CircleCheck,
              tone: 'good',
              title: 'Done',
              when: '22 Nov, 07:40',
              at: '2026-11-22T07:40:00Z',
            },
          ]}
        />
      ),
    },
    {
      name: 'Code',
      Show: () => (
        <div className="stack">
          <CodeBlock
            label="Recovery code"
            code="cairn-7F3K-92QX-LM4T"
            copyLabel="Copy"
            copiedLabel="Copied"
            failedLabel="Select it and copy by hand"
          />
          <TextLink href="#why">Why this code matters</TextLink>
        </div>
      ),
    },
  ],
};
