import { randomBytes } from 'node:crypto';
import { OPERATOR_PASSWORD } from '@portage/testing';
import { OpenIdProvider } from '@portage/testing/openid-provider';
import { Secret, TOTP } from 'otpauth';
import type { ConsoleBrowser } from './console-browser';
import { describeConsole } from './console-suite';

describeConsole('signing in', (suite) => {
  const sessionsOf = async (name: string): Promise<number> =>
    suite.portage.countRows(
      'operator_session WHERE operator_id = (SELECT id FROM operator WHERE name = $1)',
      [name],
    );

  it('asks for a password instead of the one-time password, then goes to the page that was wanted', async () => {
    const name = `newcomer-${randomBytes(4).toString('hex')}`;
    const { one_time_password: oneTimePassword } = (await suite.portage.operator(
      'operator',
      'create',
      name,
      '--role',
      'viewer',
    )) as { one_time_password: string };
    const password = 'a password of my own';
    const console = await suite.open();
    const { page } = console;
    await console.goto(`/suppliers/${suite.code}/processes?status=PROCESSED`);
    await console.waitForHeading('Sign in to Portage');
    expect(await page.getByText('Your session has ended').count()).toBe(0);
    await console.fillLogin(name, 'wrong password');
    await page.getByRole('alert').waitFor();
    await console.fillLogin(name, oneTimePassword);
    await console.waitForHeading('Choose a password');
    await page.getByLabel('One-time password').fill(oneTimePassword);
    const choose = async (chosen: string) => {
      await page.getByLabel('New password', { exact: true }).fill(chosen);
      await page.getByLabel('New password again').fill(chosen);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await choose(oneTimePassword);
    await page.getByText('Choose another password than the current one.').waitFor();
    await choose(password);
    await console.waitForHeading(suite.code);
    expect(new URL(page.url()).search).toBe('?status=PROCESSED');
    // The browser reports the refusals: without a session, of the wrong password, and of the one-time password as new one.
    expect(console.errors.filter((error) => !/40[01]/.test(error))).toEqual([]);
  });

  it('is asked for when the session has ended, and goes on at the page and filters of before', async () => {
    const console = await suite.signInAs('viewer');
    await console.goto(`/suppliers/${suite.code}/processes?status=CANCELLED`);
    await console.waitForHeading(suite.code);
    await suite.portage.sql(
      'DELETE FROM operator_session WHERE operator_id = (SELECT id FROM operator WHERE name = $1)',
      [suite.nameOf('viewer')],
    );
    await console.page.getByText('Your session has ended').waitFor();
    await console.fillLogin(suite.nameOf('viewer'), OPERATOR_PASSWORD);
    await console.waitForHeading(suite.code);
    expect(new URL(console.page.url()).search).toBe('?status=CANCELLED');
  });

  it('ends at the API when the operator signs out', async () => {
    const console = await suite.signInAs('viewer');
    const before = await sessionsOf(suite.nameOf('viewer'));
    await console.page.getByRole('button', { name: 'Sign out' }).click();
    await console.waitForHeading('Sign in to Portage');
    expect(await sessionsOf(suite.nameOf('viewer'))).toBe(before - 1);
    await console.page.getByRole('link', { name: /^Sign in with/ }).waitFor();
    await console.goto('/audit');
    await console.waitForHeading('Sign in to Portage');
  });

  it('needs a code of the authenticator from its set-up to its removal', async () => {
    const name = suite.nameOf('operator');
    const console = await suite.signInAs('operator');
    const { page } = console;
    const elsewhere = await suite.signInAs('operator');
    await console.goto('/account');
    const setUp = page.locator('form', { hasText: 'Set up' });
    await setUp.getByLabel('Password', { exact: true }).fill('wrong password');
    await setUp.getByRole('button', { name: 'Set up' }).click();
    await setUp.getByRole('alert').waitFor();
    await setUp.getByLabel('Password', { exact: true }).fill(OPERATOR_PASSWORD);
    await setUp.getByRole('button', { name: 'Set up' }).click();
    await page.getByAltText('QR code of the secret, for the authenticator app').waitFor();
    const secret = (await page.locator('.secret-text code').innerText()).replaceAll(' ', '');
    const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
    // Each code is accepted once, and those of the steps before and after as well.
    const code = (step: -1 | 0 | 1) =>
      authenticator.generate({ timestamp: Date.now() + step * authenticator.period * 1_000 });

    await page.getByLabel('Code that the app shows').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code that the app shows').fill(code(0).replace(/(...)/, '$1 '));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Logins need a code of your authenticator from now on.').waitFor();
    expect(await sessionsOf(name)).toBe(1);
    await elsewhere.goto('/audit');
    await elsewhere.waitForHeading('Sign in to Portage');
    await page.getByRole('button', { name: 'Sign out' }).click();

    await console.waitForHeading('Sign in to Portage');
    await console.fillLogin(name, OPERATOR_PASSWORD);
    const field = page.getByLabel('Code of your authenticator');
    await field.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    await field.fill('000000');
    await field.press('Enter');
    await page.getByText('Name, password or code is wrong.').waitFor();
    await field.fill(code(1));
    await field.press('Enter');
    await console.waitForHeading('Overview');

    await console.goto('/account');
    await page.getByText('In use', { exact: true }).waitFor();
    const removal = page.locator('form', { hasText: 'Remove authenticator' });
    await removal.getByLabel('Password', { exact: true }).fill('wrong password');
    await removal.getByRole('button', { name: 'Remove authenticator' }).click();
    await removal.getByRole('alert').waitFor();
    await removal.getByLabel('Password', { exact: true }).fill(OPERATOR_PASSWORD);
    await removal.getByRole('button', { name: 'Remove authenticator' }).click();
    await page.getByText('Logins need no code any more.').waitFor();
    const [stored] = await suite.portage.sql('SELECT totp_secret FROM operator WHERE name = $1', [name]);
    expect(stored).toEqual({ totp_secret: null });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn({ name, password: OPERATOR_PASSWORD });
  });

  describe('signing in with OpenID Connect', () => {
    let provider: OpenIdProvider;
    beforeAll(async () => {
      provider = await OpenIdProvider.start(suite.portage.env['OPERATOR_OIDC_ISSUER']!);
    });
    afterAll(async () => provider.stop());
    const press = async ({ page }: ConsoleBrowser): Promise<void> =>
      page.getByRole('link', { name: /^Sign in with 127\.0\.0\.1/ }).click();
    const newSubject = () => `sub-${randomBytes(6).toString('hex')}`;

    it('goes to the page that was wanted, as an operator with the role of the claim', async () => {
      const name = `grace-${randomBytes(4).toString('hex')}`;
      await provider.claim({ sub: newSubject(), preferred_username: name, groups: ['portage-operator'] });
      const console = await suite.open();
      await console.goto(`/suppliers/${suite.code}/processes?status=ERRORED`);
      await press(console);
      await console.waitForHeading(suite.code);
      expect(new URL(console.page.url()).search).toBe('?status=ERRORED');
      await console.page.getByText(`${name}operator`).waitFor();
      const [stored] = await suite.portage.sql('SELECT role FROM operator WHERE name = $1', [name]);
      expect(stored).toEqual({ role: 'operator' });
    });

    it('says that it was refused, and offers the password', async () => {
      await provider.claim({ sub: newSubject(), preferred_username: 'norole', groups: ['staff'] });
      const console = await suite.open();
      await console.goto('/login');
      await press(console);
      await console.page.getByText('Portage did not accept the sign-in of your provider.').waitFor();
      await console.fillLogin(suite.nameOf('viewer'), OPERATOR_PASSWORD);
      await console.waitForHeading('Overview');
    });
  });
});
