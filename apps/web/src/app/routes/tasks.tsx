export function TasksRoute() {
  return null;
}
