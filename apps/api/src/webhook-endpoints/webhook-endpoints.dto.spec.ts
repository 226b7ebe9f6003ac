import { readByClass } from '../../test/read-by-class';
import { CreateWebhookEndpointRequest, ReplayWebhookEventsRequest } from './webhook-endpoints.dto';

const FINISHED = 'data_import.submission.finished-v1';
const BODY = { import_supplier: 'LEGACY', url: 'https://hooks.example.com/' };

describe('the body that creates a webhook endpoint', () => {
  it.each([
    [{}, BODY],
    [{ import_supplier: ' LEGACY ' }, BODY],
    [
      { types: [FINISHED], description: 'Billing' },
      { ...BODY, types: [FINISHED], description: 'Billing' },
    ],
    [
      { types: null, description: null },
      { ...BODY, types: null, description: null },
    ],
  ])('may have %j', (change, expected) => {
    expect(readByClass('body', CreateWebhookEndpointRequest, { ...BODY, ...change })).toEqual(expected);
  });

  it.each([
    [{ import_supplier: undefined }, ['import_supplier: required']],
    [{ import_supplier: ' ' }, ['import_supplier: required']],
    [{ url: undefined }, ['url: required']],
    [{ url: 7 }, ['url: invalid']],
    [{ types: [] }, ['types: empty']],
    [{ types: FINISHED }, ['types: not_a_list']],
    [{ types: [FINISHED, 'x', 7] }, ['types.1: invalid_choice', 'types.2: invalid_choice']],
    [{ description: 'a\u202eb' }, ['description: invalid']],
    [{ description: 'a'.repeat(257) }, ['description: invalid']],
    [{ events: ['x'] }, ['events: unknown_field']],
  ])('is refused with %j', (change, errors) => {
    expect(readByClass('body', CreateWebhookEndpointRequest, { ...BODY, ...change })).toEqual(errors);
  });
});

describe('the body that replays events', () => {
  it.each([
    [{}, ['after: required']],
    [{ after: null }, ['after: required']],
    [{ after: 7 }, ['after: invalid']],
    [{ after: 'now', before: 'x' }, ['before: unknown_field']],
  ])('is refused if it is %j', (body, errors) => {
    expect(readByClass('body', ReplayWebhookEventsRequest, body)).toEqual(errors);
  });
});
