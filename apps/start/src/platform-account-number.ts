const MUTATION =
  'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }';
const TIMEOUT_MS = 5_000;

/** Asks the public API which account was created, as a supplier would; undefined when it does not say. */
export async function platformAccountNumber(
  baseUrl: string,
  apiKey: string,
  { supplier, externalAccountNumber }: { supplier: string; externalAccountNumber: string },
): Promise<string | undefined> {
  try {
    const issued = await json<{ data: { obtainPlatformToken: { token: string } } }>(
      `${baseUrl}/v1/graphql/`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: MUTATION, variables: { input: { APIKey: apiKey } } }),
      },
    );
    const whose = [supplier, externalAccountNumber].map(encodeURIComponent).join('/');
    const status = await json<{ platform_account_number?: string }>(
      `${baseUrl}/v1/data-import/account-transfer-status/${whose}/`,
      { headers: { authorization: `Token ${issued.data.obtainPlatformToken.token}` } },
    );
    return status.platform_account_number;
  } catch {
    // It is for a hint only.
    return undefined;
  }
}

async function json<T>(url: string, request: RequestInit): Promise<T> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return (await response.json()) as T;
}
