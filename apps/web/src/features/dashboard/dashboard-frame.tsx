import { lazy, Suspense, useState, type ReactNode } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { shownWidgets, type DashboardSettings } from '@cairn/core/dashboard/config.ts';
import { dashboardViews, type DashboardView, type DashboardWorld, type Widget } from '@cairn/core/dashboard/widgets.ts';
import { IconButton } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { widgetRows } from './widget-rows.ts';

// Dragging weighs more than the whole dashboard and is used once a month.
const CustomiseSheet = lazy(async () => ({ default: (await import('./customise-sheet.tsx')).CustomiseSheet }));

type Props = {
  greeting: string;
  subtitle: string;
  world: DashboardWorld;
  settings: DashboardSettings;
  /** Draws each widget; null where it has nothing for this person now. */
  widget: (name: Widget, view: DashboardView) => ReactNode;
  /** What stands before every widget, wherever the person moved those; not while the week is shown. */
  first?: ReactNode;
};

/** Greeting, the choice of view, and the widgets of that view in the person's order. */
export function DashboardFrame({ greeting, subtitle, world, settings, widget, first }: Props) {
  const { t } = useTranslation('dashboard');
  const [chosen, setChosen] = useState<DashboardView | null>(null);
  const [customising, setCustomising] = useState(false);
  const view = chosen ?? settings.config.default_view;
  const drawn = shownWidgets(settings, world, view)
    .map(name => ({ name, content: widget(name, view) }))
    .filter(({ content }) => content !== null && content !== false);
  return (
    <div className="dashboard">
      <DashboardHead greeting={greeting} subtitle={subtitle}>
        <Segmented
          label={t('views.label')}
          options={dashboardViews.map(value => ({ value, label: t(`views.${value}`) }))}
          value={view}
          onChange={value => setChosen(dashboardViews.find(each => each === value) ?? null)}
        />
        <IconButton icon={SlidersHorizontal} label={t('customise.open')} onClick={() => setCustomising(true)} />
      </DashboardHead>
      {view !== 'week' && first}
      {widgetRows(drawn).map(row => (
        <div key={row.map(({ name }) => name).join('-')} className={`parts dashboard-row ${shapeOf(row)}`}>
          {columnsOf(row).map(column => (
            <div key={column[0]?.name} className="parts">
              {column.map(({ name, content }) => (
                <div key={name} data-widget={name}>
                  {content}
                </div>
              ))}
            </div>
          ))}
        </div>
      ))}
      {customising && (
        <Suspense fallback={null}>
          <CustomiseSheet world={world} settings={settings} onClose={() => setCustomising(false)} />
        </Suspense>
      )}
    </div>
  );
}

type WidgetContent = { name: Widget; content: ReactNode };

/** Narrow widgets that stand beside something wide; alone they share the row. */
const isSide = ({ name }: WidgetContent): boolean => name === 'compliance' || name === 'arrivals' || name === 'overdue';

function columnsOf(row: readonly WidgetContent[]): WidgetContent[][] {
  const [main, side] = [row.filter(each => !isSide(each)), row.filter(isSide)];
  return main.length > 0 ? [main, side].filter(column => column.length > 0) : side.map(each => [each]);
}

const shapeOf = (row: readonly WidgetContent[]): string => {
  const side = row.filter(isSide).length;
  if (side === 0) return 'whole';
  return side === row.length ? 'even' : 'with-side';
};

/** The head of a dashboard: also while its widgets are still read. */
export function DashboardHead({
  greeting,
  subtitle,
  children,
}: {
  greeting: string;
  subtitle: string;
  children?: ReactNode;
}) {
  return (
    <header className="page-head dashboard-head">
      <div>
        <h1 className="h1">{greeting}</h1>
        <p className="muted">{subtitle}</p>
      </div>
      {children && <div className="row wrap dashboard-tools">{children}</div>}
    </header>
  );
}
