/** What a chart shows. `values` stand in the order of `series`; null is a gap, not a zero. */
export type ChartData = {
  kind: 'line' | 'area' | 'bar' | 'stacked' | 'donut';
  /** Names of the lines or bars; a donut has one, its slices are the points. At most five. */
  series: readonly string[];
  points: readonly { label: string; values: readonly (number | null)[] }[];
  /** A value as people read it, with its unit. */
  format: (value: number) => string;
  /** A level to reach, drawn as a dashed line. */
  goal?: number | undefined;
};
