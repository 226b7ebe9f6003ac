import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

type Scheme = 'light' | 'dark';

export interface OpenOptions {
  scheme?: Scheme;
  width?: number;
  height?: number;
  /** Another address of the API, such as a proxy before it. */
  baseUrl?: string;
}

/** An operator's browser at the console of a running Portage, which records what it must not do. */
export class ConsoleBrowser {
  /** Errors of the browser's console: exceptions, violations of the Content-Security-Policy, failed requests. */
  readonly errors: string[] = [];
  readonly origins = new Set<string>();

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly baseUrl: string,
  ) {
    context.on('request', (request) => this.origins.add(new URL(request.url()).origin));
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.errors.push(`${message.text()} ${message.location().url}`);
    });
    context.on('weberror', (error) => this.errors.push(String(error.error())));
  }

  static async open(browser: Browser, address: string, options: OpenOptions = {}): Promise<ConsoleBrowser> {
    const { scheme = 'light', width = 1_360, height = 860, baseUrl = address } = options;
    const context = await browser.newContext({
      colorScheme: scheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
      timezoneId: 'Europe/London',
      locale: 'en-GB',
    });
    // Generous, because a busy machine can be slow. What does not appear at all still ends the test.
    context.setDefaultTimeout(30_000);
    return new ConsoleBrowser(context, await context.newPage(), baseUrl);
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(`${this.baseUrl}/console${path}`);
  }

  /** Gives the window the cookie of a session, written as `name=value`. */
  async useSession(cookie: string): Promise<void> {
    const [name = '', ...value] = cookie.split('=');
    await this.context.addCookies([{ name, value: value.join('='), url: this.baseUrl, sameSite: 'Strict' }]);
  }

  /** Signs in through the page, and waits for the page after it. */
  async signIn({ name, password }: { name: string; password: string }): Promise<void> {
    await this.goto('/login');
    await this.fillLogin(name, password);
    await this.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  }

  async fillLogin(name: string, password: string): Promise<void> {
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async waitForHeading(name: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  /** Waits until nothing on the page is being read. */
  async settle(): Promise<void> {
    await this.page.locator('.loading').first().waitFor({ state: 'detached' });
  }

  async setScheme(scheme: Scheme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
  }

  /**
   * Violations of accessibility rules on the page, one sentence each.
   *
   * @param rules only these; by default all
   */
  async accessibilityViolations(rules?: readonly string[]): Promise<string[]> {
    // Evaluated by the debugger, because the policy of the page forbids an injected script.
    if (!(await this.page.evaluate<boolean>(`'axe' in globalThis`))) await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate(
      async (only) =>
        (globalThis as unknown as { axe: typeof axe }).axe.run({
          resultTypes: ['violations'],
          ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
        }),
      rules as string[] | undefined,
    );
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')} ${failureSummary ?? ''}`,
      ),
    );
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** The rules whose outcome depends on colours. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
