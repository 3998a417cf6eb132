import {
  Area,
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  ComposedChart,
  Line,
  Pie,
  PieChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { ChartData } from './chart-data.ts';

const HEIGHT = 220;
const DASHES = ['', '3 4', '7 4', '2 3', '9 3'] as const;
const colour = (index: number) => `var(--chart-${(index % 5) + 1})`;
const key = (index: number) => `v${index}`;

/** Draws with recharts. Hidden from screen readers: Chart says it in words and keeps the table. */
export function ChartDrawing(data: ChartData) {
  return (
    <div aria-hidden="true">
      <ResponsiveContainer width="100%" height={HEIGHT}>
        {data.kind === 'donut' ? <Donut {...data} /> : <Axes {...data} />}
      </ResponsiveContainer>
    </div>
  );
}

/** Bars start at zero; a line may start where its values do, or it would look flat. */
function Axes(data: ChartData) {
  const rows = data.points.map(point => ({
    label: point.label,
    ...Object.fromEntries(point.values.map((value, index) => [key(index), value])),
  }));
  const Frame = data.kind === 'bar' || data.kind === 'stacked' ? BarChart : ComposedChart;
  return (
    <Frame data={rows} margin={{ top: 8, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis dataKey="label" tickLine={false} axisLine={{ stroke: 'var(--line)' }} tick={TICK} minTickGap={12} />
      <YAxis
        width="auto"
        domain={data.kind === 'line' || data.kind === 'area' ? ['auto', 'auto'] : [0, 'auto']}
        tickLine={false}
        axisLine={false}
        tick={TICK}
        tickFormatter={data.format}
      />
      <Tooltip
        cursor={{ stroke: 'var(--line-strong)', fill: 'var(--surface-hover)' }}
        contentStyle={TIP}
        isAnimationActive={false}
        formatter={value => (typeof value === 'number' ? data.format(value) : '–')}
      />
      {data.goal !== undefined && <ReferenceLine y={data.goal} stroke="var(--good)" strokeDasharray="3 3" />}
      {data.series.map((name, index) => shape(data.kind, name, index))}
    </Frame>
  );
}

const TICK = { fill: 'var(--text-muted)', fontSize: 12 };
const TIP = {
  background: 'var(--surface-inverse)',
  color: 'var(--text-inverse)',
  border: 0,
  borderRadius: 8,
  fontSize: 13,
};

function shape(kind: ChartData['kind'], name: string, index: number) {
  const shared = { name, dataKey: key(index), isAnimationActive: false };
  const dash = DASHES[index % DASHES.length] ?? '';
  if (kind === 'bar') return <Bar key={name} {...shared} fill={colour(index)} radius={4} maxBarSize={36} />;
  if (kind === 'stacked') return <Bar key={name} {...shared} fill={colour(index)} stackId="all" maxBarSize={44} />;
  const line = { ...shared, stroke: colour(index), strokeWidth: 2.2, strokeDasharray: dash, dot: false };
  if (kind === 'area' && index === 0) return <Area key={name} {...line} fill="var(--accent-soft)" fillOpacity={1} />;
  return <Line key={name} {...line} />;
}

function Donut(data: ChartData) {
  const slices = data.points.map(point => ({ name: point.label, value: point.values[0] ?? 0 }));
  return (
    <PieChart accessibilityLayer={false}>
      <Pie
        data={slices}
        dataKey="value"
        rootTabIndex={-1}
        innerRadius="58%"
        outerRadius="88%"
        stroke="var(--surface-raised)"
        strokeWidth={3}
        isAnimationActive={false}
      >
        {slices.map((slice, index) => (
          <Cell key={slice.name} fill={colour(index)} />
        ))}
      </Pie>
    </PieChart>
  );
}
