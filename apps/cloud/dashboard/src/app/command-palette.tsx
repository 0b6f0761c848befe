import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconBook, IconPlus, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isAtLeast, useSession } from '../data/session.ts';
import { NAV, type NavItem } from './nav.tsx';

const [store, palette] = createSpotlight();

const CREATE: readonly Pick<NavItem, 'to' | 'label' | 'minRole'>[] = [
  { to: '/policies/new', label: 'New policy', minRole: 'admin' },
  { to: '/devices/enroll', label: 'Enroll a device', minRole: 'admin' },
  { to: '/requests/new', label: 'Request an exception' },
];

/** Finds pages by name, an event by its id, and the documentation by any words. */
export function CommandPalette(props: { readonly onClose: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  useEffect(() => palette.open(), []);
  const isAllowed = ({ minRole }: Pick<NavItem, 'minRole'>) =>
    minRole === undefined || isAtLeast(session, minRole);
  const text = query.trim();
  const groups = [
    ...NAV.map(({ title, items }) => ({
      group: title,
      actions: items.filter(isAllowed).map(
        ({ to, label, icon: Icon }): SpotlightActionData => ({
          id: to,
          label,
          leftSection: <Icon size={18} stroke={1.7} />,
          onClick: () => navigate(to),
        }),
      ),
    })),
    {
      group: 'Create',
      actions: CREATE.filter(isAllowed).map(({ to, label }) => ({
        id: to,
        label,
        leftSection: <IconPlus size={18} />,
        onClick: () => navigate(to),
      })),
    },
    {
      group: 'Search',
      actions: searchesFor(text, navigate),
    },
  ];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={props.onClose}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Page, event ID or words',
        'aria-label': 'Search pages, events and documentation',
      }}
    />
  );
}

/** Returns links to other searches, which are shown for any query. */
function searchesFor(text: string, navigate: (to: string) => unknown): SpotlightActionData[] {
  const docs = {
    id: 'documentation',
    label: text === '' ? 'Documentation' : `Search the documentation for “${text}”`,
    keywords: text,
    leftSection: <IconBook size={18} />,
    onClick: () =>
      location.assign(text === '' ? '/docs/guide' : `/docs/guide/search?q=${encodeURIComponent(text)}`),
  };
  if (text === '') return [docs];
  const isEvent = /^evt_\w+$/.test(text);
  return [
    {
      id: 'events',
      label: isEvent ? `Open event ${text}` : `Search events for “${text}”`,
      keywords: text,
      leftSection: <IconSearch size={18} />,
      onClick: () => navigate(isEvent ? `/events/${text}` : `/events?q=${encodeURIComponent(text)}`),
    },
    docs,
  ];
}
