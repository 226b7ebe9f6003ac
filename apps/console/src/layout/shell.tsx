import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../design/icon';
import { forgetSession } from '../api/query-client';
import { useNotify } from '../design/feedback';
import { LiveProvider } from '../live/live';
import { LiveIndicator } from '../live/live-indicator';
import { signOut, useHasRole, useSession } from '../session/session';
import { ColorSchemeSwitch } from './color-scheme-switch';
import logo from './portage.svg';

interface Entry {
  to: string;
  label: string;
  icon: IconName;
}

const WATCH: readonly Entry[] = [
  { to: '/', label: 'Overview', icon: 'layout-dashboard' },
  { to: '/suppliers', label: 'Suppliers', icon: 'building-2' },
  { to: '/submissions', label: 'Submissions', icon: 'layers' },
];
const PLATFORM: readonly Entry[] = [
  { to: '/queues', label: 'Queues and workers', icon: 'cpu' },
  { to: '/vendors', label: 'Vendors', icon: 'plug' },
  { to: '/webhooks', label: 'Webhooks', icon: 'webhook' },
  { to: '/rules', label: 'Account rules', icon: 'shield-check' },
];
const RECORDS: readonly Entry[] = [
  { to: '/audit', label: 'Audit', icon: 'scroll-text' },
  { to: '/keys', label: 'Organisations and keys', icon: 'key-round' },
];
const OPERATORS: Entry = { to: '/operators', label: 'Operators', icon: 'users' };

/** Navigation, the state of the stream, the operator's own menu, and the page. */
export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const isAdmin = useHasRole('admin');
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
    <LiveProvider>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <aside className={isOpen ? 'side open' : 'side'}>
          <div className="side-head">
            <Link to="/" className="brand">
              <img src={logo} alt="" width={28} height={28} />
              <span>
                Portage <small>Operator console</small>
              </span>
            </Link>
            <button
              type="button"
              className="menu-button"
              aria-expanded={isOpen}
              aria-controls="navigation"
              onClick={() => {
                setOpen(!isOpen);
              }}
            >
              <Icon name={isOpen ? 'x' : 'menu'} size={18} />
              <span>Menu</span>
            </button>
          </div>
          <div id="navigation" className="side-body">
            <nav aria-label="Console">
              <Entries title="Migrations" entries={WATCH} onFollow={close} />
              <Entries title="Platform" entries={PLATFORM} onFollow={close} />
              <Entries
                title="Records"
                entries={isAdmin ? [...RECORDS, OPERATORS] : RECORDS}
                onFollow={close}
              />
            </nav>
            <SideFoot />
          </div>
        </aside>
        {/* Focus moves here after a navigation; it is no stop of the Tab key. */}
        <main id="main" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </LiveProvider>
  );
}

function Entries(props: { title: string; entries: readonly Entry[]; onFollow: () => void }) {
  const { title, entries, onFollow } = props;
  return (
    <>
      <h2 className="side-title">{title}</h2>
      <ul>
        {entries.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/' }} className="side-link" onClick={onFollow}>
              <Icon name={icon} size={16} />
              {label}
            </Link>
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
    <div className="side-foot">
      <div className="side-foot-row">
        <LiveIndicator />
        <ColorSchemeSwitch />
      </div>
      <div className="side-foot-row">
        <Link to="/account" className="side-link me">
          <Icon name="circle-user" size={18} />
          <span>
            {operator.name}
            <small>{operator.role}</small>
          </span>
        </Link>
        <button
          type="button"
          className="side-button"
          onClick={() => void leave()}
          aria-label="Sign out"
          title="Sign out"
        >
          <Icon name="log-out" size={16} />
        </button>
      </div>
    </div>
  );
}
