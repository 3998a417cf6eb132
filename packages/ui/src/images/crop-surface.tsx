import { useState } from 'react';
import Cropper from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import type { CropArea } from './crop-image.ts';

type Props = {
  image: string;
  label: string;
  shape: 'round' | 'square';
  zoom: number;
  maxZoom: number;
  onZoom: (zoom: number) => void;
  onChange: (area: CropArea) => void;
};

/** The picture under its mask; loaded with the first crop. */
export function CropSurface({ image, label, shape, zoom, maxZoom, onZoom, onChange }: Props) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  return (
    <Cropper
      image={image}
      crop={crop}
      zoom={zoom}
      maxZoom={maxZoom}
      aspect={1}
      cropShape={shape === 'round' ? 'round' : 'rect'}
      showGrid={shape === 'square'}
      onCropChange={setCrop}
      onZoomChange={onZoom}
      onCropComplete={(_, area) => onChange(area)}
      cropperProps={{ 'aria-label': label, role: 'application' }}
      disableAutomaticStylesInjection
    />
  );
}
