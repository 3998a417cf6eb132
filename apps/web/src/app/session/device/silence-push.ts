/**
 * After a sign-out, with or without a network: this browser is sent nothing more, and what it shows of the person goes. Where there is no
 * worker, or the browser refuses, nothing is there to be silenced.
 */
export async function silencePush(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return;
  const shown = 'getNotifications' in registration ? await registration.getNotifications() : [];
  for (const notification of shown) notification.close();
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
