import { Suspense, lazy, useState } from 'react';
import type { CropArea } from './crop-image.ts';
import { Bone } from '../feedback/skeleton.tsx';
import { Slider } from '../controls/slider.tsx';
import './image-cropper.css';

const Surface = lazy(async () => ({ default: (await import('./crop-surface.tsx')).CropSurface }));

type Props = {
  /** An object URL of the chosen picture. */
  image: string;
  /** Names the surface and says how: "Move the picture with the arrow keys". */
  label: string;
  zoomLabel: string;
  /** The zoom in words: "150 %". */
  zoomFigure: (factor: number) => string;
  shape?: 'round' | 'square';
  /** The part to keep, in px of the picture; give it to cropImage. */
  onChange: (area: CropArea) => void;
};

const MAX_ZOOM = 4;

/** Chooses a square part of a picture by drag, pinch, arrow keys and slider. */
export function ImageCropper({ image, label, zoomLabel, zoomFigure, shape = 'round', onChange }: Props) {
  const [zoom, setZoom] = useState(1);
  return (
    <div className="stack">
      <div className="cropper">
        <Suspense fallback={<Bone width="100%" height="100%" />}>
          <Surface {...{ image, label, shape, zoom, onChange }} onZoom={setZoom} maxZoom={MAX_ZOOM} />
        </Suspense>
      </div>
      <Slider
        label={zoomLabel}
        value={zoom}
        onChange={setZoom}
        min={1}
        max={MAX_ZOOM}
        step={0.05}
        figure={zoomFigure(zoom)}
      />
    </div>
  );
}
