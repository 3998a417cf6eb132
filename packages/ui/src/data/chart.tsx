import { Suspense, lazy, useState, type ReactNode } from 'react';
import { SkeletonChart } from '../feedback/skeleton-layouts.tsx';
import type { ChartData } from './chart-data.ts';
import './chart.css';

const Drawing = lazy(async () => ({ default: (await import('./chart-drawing.tsx')).ChartDrawing }));

type Props = ChartData & {
  /** Names the chart, and captions its table. */
  title: string;
  /** One sentence that says what the drawing shows; read in its place. */
  summary: string;
  /** Head of the table's first column: "Month". */
  across: string;
  words: { asTable: string; asChart: string; loading: string };
  /** At the lower edge, e.g. a link to Analytics. */
  aside?: ReactNode;
  /** Heading level. */
  level?: 2 | 3;
};

/** A drawing with its table behind it. What draws is loaded with the first chart. */
export function Chart({ title, summary, across, words, aside, level = 2, ...data }: Props) {
  const [asTable, setAsTable] = useState(false);
  const Heading = `h${level}` as const;
  return (
    <div className="chart">
      <div className="chart-head">
        <Heading className="h2">{title}</Heading>
        {!asTable && <Legend data={data} />}
      </div>
      {asTable ? (
        <ChartTable title={title} across={across} data={data} />
      ) : (
        <figure aria-label={summary} className="chart-drawing">
          <Suspense fallback={<SkeletonChart label={words.loading} />}>
            <Drawing {...data} />
          </Suspense>
        </figure>
      )}
      <div className="row between wrap chart-foot">
        <button type="button" className="link tap" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? words.asChart : words.asTable}
        </button>
        {aside}
      </div>
    </div>
  );
}

function Legend({ data }: { data: ChartData }) {
  const names =
    data.kind === 'donut'
      ? data.points.map(({ label, values }) => `${label} ${data.format(values[0] ?? 0)}`)
      : data.series;
  if (names.length < 2) return null;
  return (
    <ul className="legend" data-kind={data.kind}>
      {names.map((name, index) => (
        <li key={name}>
          <i data-series={index + 1} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

function ChartTable({ title, across, data }: { title: string; across: string; data: ChartData }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <section className="chart-table" tabIndex={0} aria-label={title}>
      <table className="plain-table">
        <caption className="sr">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{across}</th>
            {data.series.map(name => (
              <th scope="col" className="num" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.points.map(point => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              {data.series.map((name, index) => (
                <td className="num" key={name}>
                  {typeof point.values[index] === 'number' ? data.format(point.values[index]) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
