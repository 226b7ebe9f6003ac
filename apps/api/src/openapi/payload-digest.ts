/** The header with the digest of an accepted payload. */
export const PAYLOAD_DIGEST = {
  'Payload-Digest': {
    description:
      "The SHA-256 of the payload that is accepted for the account, as `sha-256=:<base64>:` (RFC 9530): this request's, or the earlier one's if the account is imported or being processed. It is the digest of the payload's compact JSON text in UTF-8, as `JSON.stringify(JSON.parse(payload))` writes it. Absent if no payload is accepted, or if it was erased.",
    schema: {
      type: 'string',
      pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$',
      example: 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
    },
  },
};
