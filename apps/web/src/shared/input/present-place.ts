import type { GeoPoint } from '@cairn/core/forms/question-types/places.ts';

/** ms a device may look for its position: under trees it takes half a minute. */
const PATIENCE_MS = 60_000;

/** Where this device is, measured now. Asks the browser, which asks the person the first time. */
export function presentPlace(): Promise<GeoPoint> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) {
      reject(new Error('this device has no geolocation'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          lat: coords.latitude,
          lon: coords.longitude,
          altitude: coords.altitude,
          accuracy: coords.accuracy,
        }),
      reject,
      { enableHighAccuracy: true, timeout: PATIENCE_MS, maximumAge: 0 },
    );
  });
}

/** The browser's own error, whose class does not exist everywhere; 1 is "permission denied". */
export const isPlaceRefused = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 1;
