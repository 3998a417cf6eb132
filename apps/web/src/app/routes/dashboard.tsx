export function DashboardRoute() {
  return null;
}
