import { useState } from 'react';
import { ClipboardCheck } from 'lucide-react';
import { Avatar } from '../../src/images/avatar.tsx';
import { Chart } from '../../src/data/chart.tsx';
import { DataTable } from '../../src/data/data-table.tsx';
import { DayDots } from '../../src/data/day-dots.tsx';
import { Facts } from '../../src/data/facts.tsx';
import { HeatMap } from '../../src/data/heat-map.tsx';
import { Icon } from '../../src/controls/icon.tsx';
import { MoreRows, useMoreRows } from '../../src/data/more-rows.tsx';
import { StatusChip } from '../../src/feedback/pill.tsx';
import { Card, CardHead, List, Row, RowIcon } from '../../src/layout/surface.tsx';
import type { TableColumn } from '../../src/data/table-columns.ts';
import { TileFace } from '../../src/layout/tile.tsx';
import { VirtualRows } from '../../src/data/virtual-rows.tsx';
import { HABIT_DAYS, POLICIES, manyPolicies, type Policy } from '../sample-data.ts';
import type { StoryGroup } from '../story.ts';

const COLUMNS: TableColumn<Policy>[] = [
  {
    id: 'title',
    title: 'Policy',
    cell: policy => policy.title,
    sortBy: policy => policy.title,
    width: 'minmax(0, 2fr)',
  },
  {
    id: 'state',
    title: 'State',
    cell: policy => <StatusChip state={policy.state}>{policy.stateWord}</StatusChip>,
    sortBy: policy => policy.stateWord,
  },
  {
    id: 'read',
    title: 'Read',
    cell: policy => (policy.read === null ? '–' : `${policy.read} of 38`),
    sortBy: policy => policy.read,
    align: 'end',
  },
];
const TABLE_TEXTS = {
  sortBy: 'Sort by',
  ascending: (title: string) => `${title}, ascending`,
  descending: (title: string) => `${title}, descending`,
};
const CHART_TEXTS = { asTable: 'Show as table', asChart: 'Show as chart', loading: 'Loading the chart' };
const MONTHS = ['Sep', 'Oct', 'Nov', 'Dec'];
const TREND = MONTHS.map((label, index) => ({ label, values: [84 + index * 3, 80 + index * 2] }));
const percent = (value: number) => `${value} %`;

function Table({ rows }: { rows: readonly Policy[] }) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['p2']));
  return (
    <Card flush>
      <DataTable
        label="Policies"
        columns={COLUMNS}
        rows={rows}
        locale="en-GB"
        sort={{ id: 'title', desc: false }}
        words={TABLE_TEXTS}
        selection={{
          selected,
          onChange: setSelected,
          rowLabel: policy => `Choose ${policy.title}`,
          allLabel: 'Choose all',
        }}
      />
    </Card>
  );
}

function TrendChart({ kind }: { kind: 'area' | 'bar' | 'stacked' | 'line' }) {
  return (
    <Card>
      <Chart
        title={`Compliance trend (${kind})`}
        kind={kind}
        series={['This period', 'Before']}
        points={TREND}
        format={percent}
        goal={95}
        summary="Compliance rose from 84 % in September to 93 % in December; the goal is 95 %."
        across="Month"
        words={CHART_TEXTS}
      />
    </Card>
  );
}

function LongList() {
  const { shown, more } = useMoreRows(POLICIES, { first: 2, step: 2 });
  return (
    <Card flush>
      <List label="Policies">
        {shown.map(({ id, title }) => (
          <Row key={id} title={title} />
        ))}
      </List>
      <MoreRows more={more} label="Show more" />
    </Card>
  );
}

export const group: StoryGroup = {
  title: 'Data',
  stories: [
    { name: 'Table', Show: () => <Table rows={POLICIES} /> },
    { name: 'Table of 10,000 rows', alone: true, Show: () => <Table rows={manyPolicies(10_000)} /> },
    {
      name: 'List rows',
      Show: () => (
        <Card flush>
          <CardHead title="Today" count={<span className="count">2 of 7 done</span>} />
          <List label="Today">
            <Row
              title="Forklift 3 pre-use check"
              detail="Bay 2 · 14 questions"
              start={
                <RowIcon tone="accent">
                  <Icon of={ClipboardCheck} />
                </RowIcon>
              }
              end={<span className="due soon">08:00</span>}
            />
            <Row
              title="Arbeitsschutzunterweisung für Flurförderzeugführerinnen"
              detail="Aus Inspektion · Foto angehängt"
              start={<Avatar name="Mona Lind" />}
              end={<span className="due late">Yesterday</span>}
            />
          </List>
        </Card>
      ),
    },
    { name: 'List with more', Show: () => <LongList /> },
    {
      name: 'Facts',
      Show: () => (
        <div className="two">
          <Card>
            <Facts
              look="across"
              facts={[
                ['Time on the phone', '12 Nov 2026, 08:41', 'num'],
                ['Receipt', 'R-2026-000481', 'mono'],
              ]}
            />
          </Card>
          <Card>
            <Facts
              look="under"
              facts={[
                ['Site', 'Site North'],
                ['Manufacturer', 'Flurförderzeughersteller GmbH'],
                ['Position', '53.55180°, 9.99450°', 'num'],
              ]}
            />
          </Card>
        </div>
      ),
    },
    {
      name: 'Virtual list',
      alone: true,
      Show: () => (
        <Card flush>
          <VirtualRows
            label="Policies"
            rows={manyPolicies(10_000)}
            estimate={60}
            renderRow={policy => (
              <div className="item">
                <span className="grow t">{policy.title}</span>
              </div>
            )}
          />
        </Card>
      ),
    },
    {
      name: 'Tiles',
      Show: () => (
        <div className="tiles">
          <a className="card tile" href="#rate">
            <TileFace
              label="Compliance Rate"
              value="94"
              unit="%"
              explains="312 of 332 duties met"
              trend={[3, 4, 4, 6, 5, 8]}
            />
          </a>
          <a className="card tile" href="#pending">
            <TileFace label="Pending Tasks" value={null} explains="Nothing is due yet" />
          </a>
        </div>
      ),
    },
    {
      name: 'Charts',
      Show: () => (
        <div className="two">
          <TrendChart kind="area" />
          <TrendChart kind="bar" />
          <TrendChart kind="stacked" />
          <TrendChart kind="line" />
        </div>
      ),
    },
    {
      name: 'Donut',
      Show: () => (
        <Card>
          <Chart
            title="Findings by cause"
            kind="donut"
            series={['Findings']}
            points={[
              { label: 'Guard', values: [12] },
              { label: 'Floor', values: [7] },
              { label: 'Other', values: [4] },
            ]}
            format={String}
            summary="Twelve of 23 findings concern guards."
            across="Cause"
            words={CHART_TEXTS}
          />
        </Card>
      ),
    },
    {
      name: 'Heat map',
      Show: () => (
        <Card>
          <HeatMap
            label="Check-ins of the last weeks"
            days={HABIT_DAYS}
            weekdays={['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']}
            weekStart={1}
            ends={['Less', 'More']}
          />
        </Card>
      ),
    },
    {
      name: 'Days of a habit',
      Show: () => (
        <Card>
          <DayDots
            label="The last days"
            days={['unknown', 'done', 'rule', 'skip', 'no'].map((status, index) => ({
              day: `2026-11-0${index + 1}`,
              status,
              words: `Day ${index + 1}: ${status}`,
            }))}
          />
        </Card>
      ),
    },
  ],
};
