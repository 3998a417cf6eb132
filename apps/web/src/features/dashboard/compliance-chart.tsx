import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useTranslation } from 'react-i18next';
import type { WeekOfCompliance } from '@cairn/core/dashboard/compliance.ts';
import { formatDay, formatNumber } from '../../shared/format/format.ts';

const HEIGHT_PX = 200;
/** Space for "100" at the axis, in px. */
const AXIS_PX = 36;
const MARGIN = { top: 8, right: 16, bottom: 0, left: 0 };

type Props = { weeks: readonly WeekOfCompliance[]; now: Date };

/** Twelve weeks as one line; a week without a duty is a gap. Hidden from screen readers, who have the table. */
export function ComplianceChart({ weeks, now }: Props) {
  const { t } = useTranslation('dashboard');
  const points = weeks.map(({ to, rate }) => ({ day: formatDay(new Date(`${to}T12:00:00`), now), rate }));
  const percent = (value: unknown) => t('compliance.percent', { value: formatNumber(Number(value)) });
  return (
    <div className="chart-place" aria-hidden="true">
      <ResponsiveContainer width="100%" height={HEIGHT_PX}>
        <LineChart data={points} margin={MARGIN} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis dataKey="day" stroke="var(--text-muted)" tickLine={false} minTickGap={24} />
          <YAxis domain={[0, 100]} width={AXIS_PX} stroke="var(--text-muted)" tickLine={false} axisLine={false} />
          <Tooltip
            formatter={value => [percent(value), t('compliance.rate')]}
            contentStyle={{ background: 'var(--surface-raised)', borderColor: 'var(--line)', color: 'var(--text)' }}
          />
          <Line
            type="monotone"
            dataKey="rate"
            stroke="var(--chart-1)"
            strokeWidth={2}
            dot={{ r: 3, fill: 'var(--chart-1)' }}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
