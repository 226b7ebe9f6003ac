import { useRouter } from '@tanstack/react-router';
import { type LucideIcon } from 'lucide-react';
import { useHasRole } from '../session/session';

const SECTIONS = ['Migrations', 'Platform', 'Records'] as const;

/** How the navigation shows a page. Its route in router.tsx says so. */
export interface NavigationEntry {
  section: (typeof SECTIONS)[number];
  label: string;
  icon: LucideIcon;
  /** Set if only administrators see it. */
  role?: 'admin';
}

/** The entries of the navigation that the operator sees, by section. */
export function useNavigation() {
  const isAdmin = useHasRole('admin');
  const entries = Object.values(useRouter().routesById).flatMap(({ fullPath, options: { staticData } }) => {
    const entry = staticData?.navigation;
    return entry && (isAdmin || entry.role === undefined) ? [{ to: fullPath, ...entry }] : [];
  });
  return SECTIONS.map((title) => ({ title, entries: entries.filter(({ section }) => section === title) }));
}
