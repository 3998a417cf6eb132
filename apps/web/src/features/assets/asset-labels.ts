import { textsIn } from '@cairn/base/texts-in.ts';
import type { Asset } from '@cairn/core/assets/queries.ts';
import type { StatusState } from '@cairn/ui/feedback/pill.tsx';

export const ASSET_STATES = ['operational', 'standby', 'down', 'retired'] as const satisfies readonly Asset['status'][];

/** What a select gives back, as a state. */
export const assetStateFrom = (value: string): Asset['status'] =>
  ASSET_STATES.find(each => each === value) ?? 'operational';

export const STATE_FACES: Record<Asset['status'], StatusState> = {
  operational: 'done',
  standby: 'waiting',
  down: 'failed',
  retired: 'open',
};

export const tagsOf = ({ tags }: Asset): string[] => textsIn(tags);

/** Whether every word typed is somewhere in what is known of the asset. */
export function fitsAsset(asset: Asset, typed: string): boolean {
  const known = [asset.name, asset.code, asset.barcode, asset.category, asset.location, asset.serial_number];
  const text = [...known, ...tagsOf(asset)].filter(Boolean).join(' ').toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}
