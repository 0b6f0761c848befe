import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Button,
  Center,
  Group,
  NavLink,
  ScrollArea,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBook, IconKeyboard, IconSearch, IconShieldLock } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { OwnInvitations } from '../components/own-invitations.tsx';
import { Empty } from '../components/states.tsx';
import { usePendingCount } from '../data/pending-count.ts';
import { isAtLeast, useSession } from '../data/session.ts';
import { AccountMenu } from './account-menu.tsx';
import { NAV } from './nav.tsx';
import { useShortcuts } from './use-shortcuts.ts';

/** Loaded when they are first opened. */
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

/** The frame around every page of a signed-in user. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const [dialog, setDialog] = useState<'palette' | 'shortcuts' | null>(null);
  useShortcuts(setDialog);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on every navigation
  useEffect(() => {
    close();
    // Keyboard and screen reader users start at the top of the new page.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    window.scrollTo(0, 0);
  }, [pathname, close]);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, md: 0 } }}
      navbar={{ width: 240, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
      transitionDuration={0}
    >
      <a className="skip" href="#main">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="md">
        <Group h="100%" px="md" gap="sm">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={isOpen} />
          <Brand />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <AppShell.Section px={6} pb="xs">
          <Group justify="space-between" h={40}>
            <Brand />
            <Burger
              hiddenFrom="md"
              opened={isOpen}
              onClick={toggle}
              size="sm"
              aria-label="Close menu"
              aria-expanded={isOpen}
            />
          </Group>
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} type="auto">
          <Menu pathname={pathname} />
        </AppShell.Section>
        <AppShell.Section>
          <HelpLinks open={setDialog} />
          <AccountMenu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: 'none' }}>
        <Center style={{ alignItems: 'flex-start' }}>
          <div style={{ width: '100%', maxWidth: 1280 }}>
            <OwnInvitations />
            <Suspense fallback={<PageSkeleton />}>
              <CurrentPage />
            </Suspense>
          </div>
        </Center>
      </AppShell.Main>
      <Suspense>
        {dialog === 'palette' && <CommandPalette onClose={() => setDialog(null)} />}
        {dialog === 'shortcuts' && <ShortcutList onClose={() => setDialog(null)} />}
      </Suspense>
    </AppShell>
  );
}

/** Search, documentation and the keyboard. */
function HelpLinks(props: { readonly open: (what: 'palette' | 'shortcuts') => void }) {
  const icon = { size: 17, stroke: 1.7 };
  return (
    <Group gap={4} px={4} pb={4} wrap="nowrap" justify="space-between">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconSearch {...icon} />}
        onClick={() => props.open('palette')}
      >
        Search
      </Button>
      <Group gap={2} wrap="nowrap">
        <ActionIcon component="a" href="/docs/guide" variant="subtle" color="gray" aria-label="Documentation">
          <IconBook {...icon} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Keyboard shortcuts"
          onClick={() => props.open('shortcuts')}
        >
          <IconKeyboard {...icon} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** The page at this path, unless the organization requires a way to sign in that this session lacks. */
function CurrentPage() {
  const { organization } = useSession();
  const { pathname } = useLocation();
  if (organization.sso_missing && pathname !== '/account') {
    return (
      <Empty
        isPage
        icon={<IconShieldLock size={24} />}
        title={`${organization.name} requires single sign-on`}
        action={
          <Button component="a" href={`/dashboard/sso/start?organization=${organization.id}`}>
            Sign in
          </Button>
        }
      >
        Sign in through its identity provider to use this organization. Your password works for your other
        organizations.
      </Empty>
    );
  }
  if (!organization.second_factor_missing || pathname === '/account') return <Outlet />;
  return (
    <Empty
      isPage
      icon={<IconShieldLock size={24} />}
      title={`${organization.name} requires two-factor authentication`}
      action={
        <Button component={Link} to="/account">
          Set up
        </Button>
      }
    >
      When you sign in, you then enter a code from an authenticator app in addition to your password.
    </Empty>
  );
}

function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/dashboard/icon.svg" width={22} height={22} alt="" />
      <Text fw={650} fz="0.78rem" style={{ whiteSpace: 'nowrap' }}>
        Content Security Gateway
      </Text>
    </Group>
  );
}

function Menu(props: { readonly pathname: string }) {
  const session = useSession();
  const pendingCount = usePendingCount();
  return (
    <Stack gap={6} component="nav" aria-label="Main">
      {NAV.map((group) => {
        const items = group.items.filter(
          ({ minRole }) => minRole === undefined || isAtLeast(session, minRole),
        );
        if (items.length === 0) return null;
        return (
          <div key={group.title}>
            <Text size="xs" c="dimmed" fw={600} px={8} lh={1.4}>
              {group.title}
            </Text>
            {items.map(({ to, label, icon: Icon, badge }) => {
              const isCurrent = to === '/' ? props.pathname === '/' : props.pathname.startsWith(to);
              return (
                <NavLink
                  key={to}
                  component={Link}
                  to={to}
                  label={label}
                  active={isCurrent}
                  aria-current={isCurrent ? 'page' : undefined}
                  leftSection={<Icon size={17} stroke={1.7} />}
                  // The whole menu fits a window of 720 pixels.
                  py={{ base: 6, md: 3 }}
                  px={8}
                  lh={1.3}
                  style={{ borderRadius: 'var(--mantine-radius-sm)' }}
                  rightSection={
                    badge !== undefined && pendingCount > 0 ? (
                      <Badge size="sm" circle={pendingCount < 10} color="red.9" variant="filled">
                        {pendingCount}
                      </Badge>
                    ) : null
                  }
                />
              );
            })}
          </div>
        );
      })}
    </Stack>
  );
}

/** Shown while the code of a page loads. */
function PageSkeleton() {
  return (
    <Stack gap="lg" aria-label="Loading" aria-busy>
      <Skeleton height={30} width={180} />
      <Skeleton height={110} radius="md" />
      <Skeleton height={320} radius="md" />
    </Stack>
  );
}
