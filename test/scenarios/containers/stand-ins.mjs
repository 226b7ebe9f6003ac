// Stand-ins for services of docker-compose.yml whose images cannot be built here: an empty object store, a server that
// accepts e-mails and drops them, and a payment vendor that knows no payment method.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

const MISSING = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>missing</Message></Error>';

const servers = {
  'object-store': () =>
    createHttpServer(({ url }, response) => {
      const isHealth = url === '/health';
      response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/xml' });
      response.end(isHealth ? 'ok' : MISSING);
    }).listen(7070),
  'stripe-mock': () =>
    createHttpServer((_request, response) => {
      const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'missing' };
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    }).listen(12111),
  'mail-catcher': () =>
    createServer((socket) => {
      let isMessage = false;
      socket.on('error', () => undefined).write('220 stand-in\r\n');
      socket.on('data', (data) => {
        for (const line of data.toString().split('\r\n').slice(0, -1)) {
          if (isMessage && line !== '.') continue;
          isMessage = /^data$/i.test(line);
          socket.write(isMessage ? '354 go on\r\n' : '250 ok\r\n');
        }
      });
    }).listen(1025),
};

servers[process.argv[2]]();
process.on('SIGTERM', () => process.exit());
