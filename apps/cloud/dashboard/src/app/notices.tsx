import { Notifications } from '@mantine/notifications';

/** Where notices appear; its code comes after the page's. */
export function Notices() {
  return <Notifications position="bottom-right" />;
}
