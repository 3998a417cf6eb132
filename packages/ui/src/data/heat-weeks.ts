/** `day` YYYY-MM-DD; `value` null when nothing was due; `label` as read aloud: "24 Nov: 3 done". */
export type HeatDay = { day: string; value: number | null; label: string };

/** Days laid into weeks of seven places; places before the first and after the last day are null. */
export function heatWeeks(days: readonly HeatDay[], weekStart: number): (HeatDay | null)[][] {
  const first = days[0];
  if (!first) return [];
  const lead = (new Date(`${first.day}T00:00:00Z`).getUTCDay() - weekStart + 7) % 7;
  const places: (HeatDay | null)[] = [...Array.from({ length: lead }, () => null), ...days];
  return Array.from({ length: Math.ceil(places.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => places[week * 7 + weekday] ?? null),
  );
}

/** 0 for nothing, then 1 to 4 by quarters of the largest value. */
export function levelOf(value: number | null, top: number): 0 | 1 | 2 | 3 | 4 {
  if (value === null || value <= 0 || top <= 0) return 0;
  const share = value / top;
  if (share <= 0.25) return 1;
  if (share <= 0.5) return 2;
  return share <= 0.75 ? 3 : 4;
}
