import { ActionIcon, Button, Group, NavLink, Stack, Text } from '@mantine/core';
import { Link, Outlet, useMatches, useNavigate, useRouterState } from '@tanstack/react-router';
import { CircleUser, LogOut, Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { forgetSession } from '../api/query-client';
import { Note, useNotify } from '../design/feedback';
import { signOut, useHasRole, useSession } from '../session/session';
import { ColorSchemeSwitch } from './color-scheme-switch';
import { LiveIndicator } from './live-indicator';
import { type NavigationEntry, useNavigation } from './navigation';
import logo from './portage.svg';

/** Navigation, whether figures are live, the operator's own menu, and the page. */
export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const navigation = useNavigation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);

  const close = () => {
    setOpen(false);
  };

  // A new page starts at its top, and the keyboard at its content.
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <aside className={isOpen ? 'side open' : 'side'}>
          <Group justify="space-between">
            <Link to="/" className="brand">
              <img src={logo} alt="" width={28} height={28} />
              <span>
                Portage <small className="muted">Operator console</small>
              </span>
            </Link>
            <Button
              className="menu-button"
              variant="default"
              leftSection={isOpen ? <X size={18} /> : <Menu size={18} />}
              aria-expanded={isOpen}
              aria-controls="navigation"
              onClick={() => {
                setOpen(!isOpen);
              }}
            >
              Menu
            </Button>
          </Group>
          <div id="navigation" className="side-body">
            <nav aria-label="Console">
              {navigation.map((section) => (
                <Entries key={section.title} onFollow={close} {...section} />
              ))}
            </nav>
            <SideFoot />
          </div>
        </aside>
        {/* Focus moves here after a navigation; it is no stop of the Tab key. */}
        <main id="main" ref={main} tabIndex={-1}>
          <Page />
        </main>
      </div>
    </>
  );
}

/** The page, unless only administrators may see it. */
function Page() {
  const isAdmin = useHasRole('admin');
  const isForAdmins = useMatches().some(({ staticData }) => staticData.navigation?.role === 'admin');
  return isForAdmins && !isAdmin ? <Note tone="bad">Only administrators see this page.</Note> : <Outlet />;
}

function Entries(props: {
  title: string;
  entries: readonly (NavigationEntry & { to: string })[];
  onFollow: () => void;
}) {
  const { title, entries, onFollow } = props;
  return (
    <>
      <Text component="h2" className="muted small" mt="sm">
        {title}
      </Text>
      <ul>
        {entries.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <NavLink
              component={Link}
              to={to}
              activeOptions={{ exact: to === '/' }}
              label={label}
              leftSection={<Icon size={16} />}
              onClick={onFollow}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function SideFoot() {
  const { operator } = useSession();
  const navigate = useNavigate();
  const notify = useNotify();
  const leave = async () => {
    try {
      await signOut();
      await navigate({ to: '/login' });
      forgetSession();
    } catch {
      notify('Signing out failed. Try again.', 'bad');
    }
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <LiveIndicator />
        <ColorSchemeSwitch />
      </Group>
      <Group wrap="nowrap" gap="xs">
        <NavLink
          component={Link}
          to="/account"
          label={operator.name}
          description={operator.role}
          leftSection={<CircleUser size={18} />}
        />
        <ActionIcon variant="subtle" onClick={() => void leave()} aria-label="Sign out" title="Sign out">
          <LogOut size={16} />
        </ActionIcon>
      </Group>
    </Stack>
  );
}
