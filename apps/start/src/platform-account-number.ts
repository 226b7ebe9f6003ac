const MUTATION =
  'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }';
const TIMEOUT_MS = 5_000;

/** Reads the number of an imported account from the public API. Undefined if the API does not return it. */
export async function findPlatformAccountNumber(
  baseUrl: string,
  apiKey: string,
  { supplier, externalAccountNumber }: { supplier: string; externalAccountNumber: string },
): Promise<string | undefined> {
  try {
    const issued = await fetchJson<{ data: { obtainPlatformToken: { token: string } } }>(
      `${baseUrl}/v1/graphql/`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: MUTATION, variables: { input: { APIKey: apiKey } } }),
      },
    );
    const accountPath = [supplier, externalAccountNumber].map(encodeURIComponent).join('/');
    const status = await fetchJson<{ platform_account_number?: string }>(
      `${baseUrl}/v1/data-import/account-transfer-status/${accountPath}/`,
      { headers: { authorization: `Token ${issued.data.obtainPlatformToken.token}` } },
    );
    return status.platform_account_number;
  } catch {
    // The number is printed as a hint only.
    return undefined;
  }
}

async function fetchJson<T>(url: string, request: RequestInit): Promise<T> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return (await response.json()) as T;
}
