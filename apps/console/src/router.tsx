import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import {
  Building2,
  Cpu,
  KeyRound,
  Layers,
  LayoutDashboard,
  ScrollText,
  Search,
  ShieldCheck,
  Users,
  Webhook,
} from 'lucide-react';
import { isSignedOut } from './api/api-error';
import { forgetSession, queryClient, whenSignedOut } from './api/query-client';
import { Empty, Failure, Loading } from './design/feedback';
import type { NavigationEntry } from './layout/navigation';
import { Shell } from './layout/shell';
import { AccountRulesPage } from './account-rules/account-rules-page';
import { AUDIT_FILTERS, AuditPage } from './audit/audit-page';
import { FindPage } from './import-processes/find-page';
import { ProcessPage } from './import-processes/process-page';
import { PROCESS_FILTERS, ProcessesPage } from './import-processes/processes-page';
import { OperatorsPage } from './operators/operators-page';
import { KeysPage } from './organisations/keys-page';
import { OverviewPage } from './overview/overview-page';
import { QueuesPage } from './queues/queues-page';
import { AccountPage } from './session/account-page';
import { ChangePasswordPage } from './session/change-password-page';
import { LoginPage } from './session/login-page';
import { asNextPage } from './session/next-page';
import { sessionQuery } from './session/session';
import { SubmissionPage } from './submissions/submission-page';
import { SUBMISSION_FILTERS, SubmissionsPage } from './submissions/submissions-page';
import { SupplierSubmissionsPage } from './submissions/supplier-submissions-page';
import { DOCUMENT_FILTERS, DocumentsPage } from './suppliers/documents-page';
import { INSTRUCTION_FILTERS, PaymentInstructionsPage } from './suppliers/payment-instructions-page';
import { REFUSED_LINE_FILTERS, RefusedLinesPage } from './suppliers/refused-lines-page';
import { SupplierSettingsPage } from './suppliers/settings-page';
import { SupplierLayout } from './suppliers/supplier-layout';
import { SupplierProgressPage } from './suppliers/supplier-page';
import { SuppliersPage } from './suppliers/suppliers-page';
import { WebhookPage } from './webhooks/webhook-page';
import { WebhooksPage } from './webhooks/webhooks-page';

const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};

const root = createRootRoute({ component: Outlet });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (
    search,
  ): { next?: string | undefined; reason?: string | undefined; error?: string | undefined } => ({
    next: asNextPage(search['next']),
    reason: asText(search['reason']),
    error: asText(search['error']),
  }),
  component: LoginPage,
});

const changePassword = createRoute({
  getParentRoute: () => root,
  path: '/change-password',
  validateSearch: (search): { next?: string | undefined } => ({ next: asNextPage(search['next']) }),
  beforeLoad: async ({ location }) => requireSession(location.publicHref),
  component: ChangePasswordPage,
});

async function requireSession(next: string) {
  try {
    return await queryClient.query({ ...sessionQuery, staleTime: 'static' });
  } catch (error) {
    // oxlint-disable-next-line typescript/only-throw-error -- how the router is told to go elsewhere
    if (isSignedOut(error)) throw redirect({ to: '/login', search: next === '/console/' ? {} : { next } });
    throw error;
  }
}

/** Everything that needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const { operator } = await requireSession(location.publicHref);
    if (!operator.must_change_password) return;
    // oxlint-disable-next-line typescript/only-throw-error -- how the router is told to go elsewhere
    throw redirect({ to: '/change-password', search: { next: location.publicHref } });
  },
  component: Shell,
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: OverviewPage,
  staticData: { navigation: { section: 'Migrations', label: 'Overview', icon: LayoutDashboard } },
});

type Texts<Name extends string> = Partial<Record<Name, string | undefined>>;

/** Reads the named parameters of a query as text and leaves out the others. */
const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): Texts<Name> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = asText(search[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    ) as Texts<Name>;

const suppliers = createRoute({
  getParentRoute: () => signedIn,
  path: '/suppliers',
  validateSearch: texts('cursor'),
  component: SuppliersPage,
  staticData: { navigation: { section: 'Migrations', label: 'Suppliers', icon: Building2 } },
});

const supplier = createRoute({
  getParentRoute: () => signedIn,
  path: '/suppliers/$code',
  component: SupplierLayout,
});

const supplierProgress = createRoute({
  getParentRoute: () => supplier,
  path: '/',
  component: SupplierProgressPage,
});

const supplierProcesses = createRoute({
  getParentRoute: () => supplier,
  path: '/processes',
  validateSearch: texts(...PROCESS_FILTERS.map(({ name }) => name), 'cursor'),
  component: ProcessesPage,
});

const supplierSubmissions = createRoute({
  getParentRoute: () => supplier,
  path: '/submissions',
  validateSearch: texts('cursor'),
  component: SupplierSubmissionsPage,
});

const supplierRefusedLines = createRoute({
  getParentRoute: () => supplier,
  path: '/refused-lines',
  validateSearch: texts(...REFUSED_LINE_FILTERS.map(({ name }) => name), 'cursor'),
  component: RefusedLinesPage,
});

const supplierPaymentInstructions = createRoute({
  getParentRoute: () => supplier,
  path: '/payment-instructions',
  validateSearch: texts(...INSTRUCTION_FILTERS.map(({ name }) => name), 'cursor'),
  component: PaymentInstructionsPage,
});

const supplierDocuments = createRoute({
  getParentRoute: () => supplier,
  path: '/documents',
  validateSearch: texts(...DOCUMENT_FILTERS.map(({ name }) => name), 'cursor'),
  component: DocumentsPage,
});

const supplierSettings = createRoute({
  getParentRoute: () => supplier,
  path: '/settings',
  component: SupplierSettingsPage,
});

const importProcess = createRoute({
  getParentRoute: () => signedIn,
  path: '/suppliers/$code/processes/$id',
  component: ProcessPage,
});

const submissions = createRoute({
  getParentRoute: () => signedIn,
  path: '/submissions',
  validateSearch: texts(...SUBMISSION_FILTERS.map(({ name }) => name), 'cursor'),
  component: SubmissionsPage,
  staticData: { navigation: { section: 'Migrations', label: 'Submissions', icon: Layers } },
});

const submission = createRoute({
  getParentRoute: () => signedIn,
  path: '/submissions/$id',
  component: SubmissionPage,
});

const accounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts',
  validateSearch: texts('number'),
  component: FindPage,
  staticData: { navigation: { section: 'Migrations', label: 'Find an account', icon: Search } },
});

const queues = createRoute({
  getParentRoute: () => signedIn,
  path: '/queues',
  component: QueuesPage,
  staticData: { navigation: { section: 'Platform', label: 'Queues and workers', icon: Cpu } },
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks',
  validateSearch: texts('supplier'),
  component: WebhooksPage,
  staticData: { navigation: { section: 'Platform', label: 'Webhooks', icon: Webhook } },
});

const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/$id',
  validateSearch: texts('cursor'),
  component: WebhookPage,
});

const rules = createRoute({
  getParentRoute: () => signedIn,
  path: '/rules',
  validateSearch: texts('list'),
  component: AccountRulesPage,
  staticData: { navigation: { section: 'Platform', label: 'Account rules', icon: ShieldCheck } },
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: texts(...AUDIT_FILTERS.map(({ name }) => name), 'cursor'),
  component: AuditPage,
  staticData: { navigation: { section: 'Records', label: 'Audit', icon: ScrollText } },
});

const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  validateSearch: texts('organisation'),
  component: KeysPage,
  staticData: { navigation: { section: 'Records', label: 'Organisations and keys', icon: KeyRound } },
});

const operators = createRoute({
  getParentRoute: () => signedIn,
  path: '/operators',
  component: OperatorsPage,
  staticData: { navigation: { section: 'Records', label: 'Operators', icon: Users, role: 'admin' } },
});
const account = createRoute({ getParentRoute: () => signedIn, path: '/account', component: AccountPage });

/** Any other address, beside the navigation. */
const unknown = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: () => (
    <Empty icon={Search} title="There is no such page">
      Use the navigation to go on.
    </Empty>
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    changePassword,
    signedIn.addChildren([
      overview,
      suppliers,
      supplier.addChildren([
        supplierProgress,
        supplierProcesses,
        supplierSubmissions,
        supplierRefusedLines,
        supplierPaymentInstructions,
        supplierDocuments,
        supplierSettings,
      ]),
      importProcess,
      submissions,
      submission,
      accounts,
      queues,
      webhooks,
      webhook,
      rules,
      audit,
      keys,
      operators,
      account,
      unknown,
    ]),
  ]),
  basepath: '/console',
  trailingSlash: 'preserve',
  defaultPreload: false,
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
  scrollRestoration: false,
});

// A session that has ended: sign in, then come back to the same place. Pages without a session go to the login anyway.
whenSignedOut(() => {
  const { pathname, publicHref } = router.state.location;
  if (pathname === '/login' || !queryClient.getQueryData(sessionQuery.queryKey)) return;
  void router.navigate({ to: '/login', search: { next: publicHref, reason: 'expired' } }).then(forgetSession);
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The place of the page in the navigation, in the order of the routes. Pages without it are reached by links. */
    navigation?: NavigationEntry;
  }
}
