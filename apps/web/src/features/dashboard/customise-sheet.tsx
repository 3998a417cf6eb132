import { useTranslation } from 'react-i18next';
import type { DashboardSettings } from '@cairn/core/dashboard/config.ts';
import { dashboardViews, orderedWidgets, widgetsOf, type DashboardWorld } from '@cairn/core/dashboard/widgets.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented, Switch } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { failureText } from '../../shared/errors/failure-text.ts';
import { useSaveSettings } from './use-settings.ts';
import { WidgetOrder } from './widget-order.tsx';
import './customise.css';

type Props = { world: DashboardWorld; settings: DashboardSettings; onClose: () => void };

/** What the dashboard opens with, what it shows, and in which order. Each change takes effect and is kept at once. */
export function CustomiseSheet({ world, settings: { config, layout }, onClose }: Props) {
  const { t } = useTranslation('dashboard');
  const { t: tFailure } = useTranslation('failure');
  const { saveConfig, saveOrder, failure } = useSaveSettings();
  const order = orderedWidgets(layout, world);
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('customise.title')}
      description={t('customise.saved')}
      closeLabel={t('customise.close')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('customise.done')}
        </Button>
      }
    >
      <div className="customise">
        <Segmented
          label={t('customise.view')}
          labelHidden={false}
          block
          options={dashboardViews.map(value => ({ value, label: t(`views.${value}`) }))}
          value={config.default_view}
          onChange={value =>
            saveConfig({ default_view: dashboardViews.find(view => view === value) ?? config.default_view })
          }
        />
        <div>
          <Switch
            label={t('customise.compliance')}
            checked={config.show_compliance_overview}
            onChange={show => saveConfig({ show_compliance_overview: show })}
          />
          <Switch
            label={t('customise.wellness')}
            checked={config.show_wellness_widgets}
            onChange={show => saveConfig({ show_wellness_widgets: show })}
          />
        </div>
        <WidgetOrder order={order} onMove={next => saveOrder(world, next)} />
        {order.join() !== widgetsOf(world).join() && (
          <Button onClick={() => saveOrder(world, widgetsOf(world))}>{t('customise.reset')}</Button>
        )}
        {failure && (
          <p className="err" role="alert">
            {tFailure(failureText[failure.code])}
          </p>
        )}
      </div>
    </Sheet>
  );
}
