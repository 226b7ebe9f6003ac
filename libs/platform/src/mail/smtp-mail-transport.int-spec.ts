import { createServer, type Socket } from 'node:net';
import { FaultProxy } from '@portage/testing/installation';
import { listenLocally } from '@portage/testing/local-server';
import { until } from '@portage/testing/until';
import type { SMTPServerOptions } from 'smtp-server';
import type { SmtpAddress } from '../config/smtp-url';
import { smtpReply, startSmtpServer, type TestSmtpServer } from '../../test/smtp-server';
import { MailUnavailable } from './mail-transport';
import { SmtpMailTransport } from './smtp-mail-transport';

const MAIL = {
  to: 'jane.doe@customer.example',
  subject: 'Welcome',
  text: 'Hello Jane,\n\n.\n.dots\nFrom the platform\n',
  messageId: '<welcome-1@portage.example>',
};
const FROM = 'Portage <no-reply@supplier.example>';

describe('an e-mail over SMTP', () => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function serverWith(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
    const server = await startSmtpServer(options);
    stops.push(server.stop);
    return server;
  }

  function transportTo(
    port: number,
    address: Partial<SmtpAddress> = {},
    timeoutMs = 3_000,
  ): SmtpMailTransport {
    const plain = { host: '127.0.0.1', port, implicitTls: false, requireTls: false, credentials: undefined };
    return new SmtpMailTransport({ ...plain, ...address }, { from: FROM, timeoutMs });
  }

  async function expectUnavailable(transport: SmtpMailTransport, reason: string | RegExp): Promise<void> {
    const error: unknown = await transport.send(MAIL).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(MailUnavailable);
    expect((error as MailUnavailable).reason).toMatch(reason);
    expect(String(error)).not.toMatch(/jane|customer|supplier|Welcome|127\.0\.0\.1|hunter2/i);
    expect((error as Error).cause).toBeUndefined();
  }

  it('arrives unchanged', async () => {
    const server = await serverWith();
    expect(await transportTo(server.port).send(MAIL)).toEqual({ outcome: 'sent' });
    expect(server.received).toHaveLength(1);
    const { from, to, raw } = server.received[0]!;
    expect([from, to]).toEqual(['no-reply@supplier.example', ['jane.doe@customer.example']]);
    const [head, ...body] = raw.split('\r\n\r\n');
    expect(body.join('\r\n\r\n')).toBe(MAIL.text.replaceAll('\n', '\r\n'));
    expect(head!.split('\r\n')).toEqual(
      expect.arrayContaining([
        'From: Portage <no-reply@supplier.example>',
        'To: jane.doe@customer.example',
        'Subject: Welcome',
        'Message-ID: <welcome-1@portage.example>',
        'Auto-Submitted: auto-generated',
        'Content-Type: text/plain; charset=utf-8',
      ]),
    );
  });

  it.each([
    ['subject', { subject: 'Hello\r\nBcc: all@customer.example\r\n\r\nbody' }],
    ['subject with other line ends', { subject: 'Hello\u2028Bcc: all@customer.example\u0085X: y' }],
  ])('gets no additional header from its %s', async (_case, attack) => {
    const server = await serverWith();
    expect(await transportTo(server.port).send({ ...MAIL, ...attack })).toEqual({ outcome: 'sent' });
    const { to, raw } = server.received[0]!;
    expect(to).toEqual([MAIL.to]);
    expect(raw).not.toMatch(/^(Bcc|X):/im);
  });

  it.each([
    'nobody',
    '',
    '@customer.example',
    'a@b@c.example',
    'a@b.example, c@d.example',
    'a@b.example c@d.example',
    'Jane <a@b.example>',
    'a@b.example\r\nRCPT TO:<c@d.example>',
    'a@b.example>\r\nDATA',
    'a\u0000@b.example',
    'group:a@b.example;',
    '"a b"@b.example',
    'a(comment)@b.example',
    `${'a'.repeat(65)}@b.example`,
  ])('an e-mail to %j is refused without a connection', async (to) => {
    const server = await serverWith();
    expect(await transportTo(server.port).send({ ...MAIL, to })).toEqual({ outcome: 'refused', code: 553 });
    expect(server.received).toEqual([]);
  });

  it.each(['welcome-1', '<a@b>\r\nBcc: c@d', 'a@b', '<a b@c>'])(
    'the message id %j is an error',
    async (id) => {
      const server = await serverWith();
      await expect(transportTo(server.port).send({ ...MAIL, messageId: id })).rejects.toThrow(TypeError);
      expect(server.received).toEqual([]);
    },
  );

  const serverOptionsFor = (
    reply: Error,
  ): Record<'recipient' | 'data' | 'sender' | 'greeting', SMTPServerOptions> => ({
    recipient: {
      onRcptTo: (_to, _session, done) => {
        done(reply);
      },
    },
    data: {
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => {
          done(reply);
        });
      },
    },
    sender: {
      onMailFrom: (_from, _session, done) => {
        done(reply);
      },
    },
    greeting: {
      onConnect: (_session, done) => {
        done(reply);
      },
    },
  });

  it.each([
    ['recipient', 550],
    ['recipient', 553],
    ['data', 554],
    ['data', 552],
  ] as const)(
    'an e-mail that the server refuses permanently at the %s with %d is refused',
    async (at, code) => {
      const server = await serverWith(
        serverOptionsFor(smtpReply(code, `jane.doe@customer.example is unknown`))[at],
      );
      expect(await transportTo(server.port).send(MAIL)).toEqual({ outcome: 'refused', code });
    },
  );

  it.each([
    ['recipient', 450],
    ['recipient', 451],
    ['data', 452],
    ['sender', 451],
    ['greeting', 421],
    // These do not depend on the e-mail. The operator has to fix them.
    ['sender', 550],
    ['greeting', 554],
  ] as const)(
    'an e-mail that the server refuses temporarily at the %s with %d can be retried',
    async (at, code) => {
      const server = await serverWith(
        serverOptionsFor(smtpReply(code, 'jane.doe@customer.example is busy'))[at],
      );
      await expectUnavailable(transportTo(server.port), String(code));
    },
  );

  it('can be retried when the server is down', async () => {
    const server = await startSmtpServer();
    await server.stop();
    await expectUnavailable(transportTo(server.port), 'ECONNREFUSED');
  });

  it('can be retried when the connection is lost during the delivery', async () => {
    const server = await serverWith({ onData: () => proxy.reset() });
    const proxy = await FaultProxy.start(`smtp://127.0.0.1:${server.port}`);
    stops.push(async () => proxy.stop());
    await expectUnavailable(transportTo(proxy.port), /^(ECONNECTION|ECONNRESET|ESOCKET)$/);
  });

  it.each([
    ['accepts the connection and never responds', () => undefined],
    [
      'sends a greeting and nothing else',
      (socket: Socket) => {
        socket.write('220 mail.example\r\n');
      },
    ],
    [
      'never finishes its greeting',
      (socket: Socket) => {
        const dripping = setInterval(() => socket.write('220-and\r\n'), 20);
        socket.on('close', () => {
          clearInterval(dripping);
        });
      },
    ],
  ])('times out, and its connection is closed, when a server %s', async (_case, behave) => {
    const { port, sockets, stop } = await listenLocally(
      createServer((socket) => {
        behave(socket.resume());
      }),
    );
    stops.push(stop);
    const start = performance.now();
    await expectUnavailable(transportTo(port, {}, 300), 'ETIMEDOUT');
    expect(performance.now() - start).toBeLessThan(5_000);
    await until(() => sockets.size === 0, 'The connection is still open.');
  });

  describe('an e-mail with a configured login', () => {
    const credentials = { user: 'portage', password: 'hunter2' };
    const passwords: string[] = [];
    const login: SMTPServerOptions = {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        passwords.push(password ?? '');
        if (password === 'hunter2') done(null, { user: username });
        else done(smtpReply(535, 'no'));
      },
    };
    beforeEach(() => {
      passwords.splice(0);
    });

    it('is sent after the login', async () => {
      const server = await serverWith(login);
      expect(await transportTo(server.port, { credentials }).send(MAIL)).toEqual({ outcome: 'sent' });
      expect(server.received[0]!.user).toBe('portage');
    });

    it('can be retried when the login fails', async () => {
      const server = await serverWith(login);
      const wrong = { user: 'portage', password: 'wrong' };
      await expectUnavailable(transportTo(server.port, { credentials: wrong }), '535');
    });

    it('does not send the password to a server without TLS if TLS is required', async () => {
      const server = await serverWith(login);
      await expectUnavailable(transportTo(server.port, { credentials, requireTls: true }), /^50[02]$/);
      expect(passwords).toEqual([]);
    });
  });

  it.each([
    ['from the start', { secure: true }, { implicitTls: true }],
    ['by STARTTLS', { disabledCommands: ['AUTH'] }, { requireTls: true }],
    ['by optional STARTTLS', { disabledCommands: ['AUTH'] }, {}],
  ] as const)(
    'is not sent to a server with an untrusted certificate: TLS %s',
    async (_how, options, address) => {
      // The server warns about its self-signed certificate, which this test needs.
      const quiet = jest.spyOn(console, 'error').mockReturnValue();
      const server = await serverWith({ ...options } as SMTPServerOptions);
      quiet.mockRestore();
      await expectUnavailable(transportTo(server.port, address), /CERT/);
      expect(server.received).toEqual([]);
    },
  );
});
