import { Notifications } from '@mantine/notifications';

/** Notifications; loaded after the page. */
export function Notices() {
  return <Notifications position="bottom-right" />;
}
