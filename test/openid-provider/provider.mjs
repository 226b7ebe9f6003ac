// node provider.mjs <port>: an OpenID provider on 127.0.0.1. Each line on standard input is the claims of the next ID
// tokens, as JSON. It ends with its standard input.
import { createInterface } from 'node:readline';
import { OAuth2Server } from 'oauth2-mock-server';

const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
let claims = {};
server.service.on('beforeTokenSigning', (token) => {
  Object.assign(token.payload, claims);
});
await server.start(Number(process.argv[2]), '127.0.0.1');
server.issuer.url = `http://127.0.0.1:${process.argv[2]}`;
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  claims = JSON.parse(line);
  process.stdout.write('claims\n');
}
await server.stop();
