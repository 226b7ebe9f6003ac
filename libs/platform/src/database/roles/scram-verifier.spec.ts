import { scramVerifier } from './scram-verifier';

it('is the verifier of RFC 7677 for its password and salt', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  // The keys that a client of the example in RFC 7677 ("pencil") proves to know.
  expect(scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});

it('has another salt each time', () => {
  expect(scramVerifier('pencil')).not.toBe(scramVerifier('pencil'));
});
