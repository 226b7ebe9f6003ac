"""Imports an account with nothing but Python's standard library (3.8 or later).

    export PORTAGE_API_KEY=...
    python3 examples/python/import_account.py http://127.0.0.1:3000 account.json

Validates the account and prints every error; posts it; waits until its import has ended; and lists the imports of the
supplier that have failed. The exit code is 0 if the account is imported, and 1 if it is refused or its import fails.
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT_SECONDS = 30
MAX_ATTEMPTS = 8
MAX_DELAY_SECONDS = 20
MAX_WAIT_SECONDS = 600

OBTAIN_TOKEN = """mutation ($input: ObtainPlatformTokenInput!) {
  obtainPlatformToken(input: $input) { token refreshToken }
}"""


class Portage:
    """Sends requests with an access token, which is renewed when it has expired, and repeats them if they may succeed
    later. Repeating is safe: the service does equal requests once."""

    def __init__(self, base_url, api_key):
        self.base_url = base_url.rstrip("/")
        self.api_key = api_key
        self.token = None
        self.refresh_token = None

    def get(self, path):
        return self._request("GET", path)

    def post(self, path, body):
        return self._request("POST", path, body)

    def _request(self, method, path, body=None):
        """Returns the status and the parsed body."""
        if self.token is None:
            self._obtain_token()
        status, answer = self._send(method, path, body, self.token)
        if status == 401:
            # The token has expired, usually after an hour.
            self._obtain_token()
            status, answer = self._send(method, path, body, self.token)
        return status, answer

    def _obtain_token(self):
        """A refresh token is valid once, and longer than the access token. The API key always works."""
        inputs = [{"APIKey": self.api_key}]
        if self.refresh_token is not None:
            inputs.insert(0, {"refreshToken": self.refresh_token})
        for credentials in inputs:
            request = {"query": OBTAIN_TOKEN, "variables": {"input": credentials}}
            _, answer = self._send("POST", "/v1/graphql/", request)
            issued = (answer.get("data") or {}).get("obtainPlatformToken")
            if issued is not None:
                self.token, self.refresh_token = issued["token"], issued["refreshToken"]
                return
        errors = answer.get("errors") or [{"message": "The answer has no token."}]
        raise SystemExit("No access token: " + errors[0]["message"])

    def _send(self, method, path, body=None, token=None):
        """Repeats the request after a lost connection, a timeout, 429 and 5xx."""
        for attempt in range(MAX_ATTEMPTS):
            # Jitter, so that programs that failed together do not return together.
            delay = random.random() * min(MAX_DELAY_SECONDS, 0.5 * 2**attempt)
            try:
                with urllib.request.urlopen(
                    self._build_request(method, path, body, token), timeout=TIMEOUT_SECONDS
                ) as response:
                    return response.status, json.load(response)
            except urllib.error.HTTPError as error:
                reason = "status %d" % error.code
                if error.code != 429 and error.code < 500:
                    return error.code, parse_error(error)
                delay += float(error.headers.get("Retry-After") or 0)
            except (OSError, http.client.HTTPException) as error:
                reason = str(error)
            if attempt + 1 < MAX_ATTEMPTS:
                time.sleep(delay)
        raise SystemExit("No answer to %s %s: %s" % (method, path, reason))

    def _build_request(self, method, path, body, token):
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = "Token " + token
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        return urllib.request.Request(self.base_url + path, data, headers, method=method)


def parse_error(error):
    """The body of an error of the service; a server between may answer with something else."""
    try:
        body = json.load(error)
    except ValueError:
        body = None
    if isinstance(body, dict):
        return body
    return {"code": "http_%d" % error.code, "detail": str(error)}


def print_errors(answer):
    """Prints each error with its path and code; `detail` says how to correct it."""
    imported = answer.get("non_field_errors")
    for error in answer.get("errors") or [imported or answer]:
        print("%s: %s: %s" % (error.get("attr") or "account", error["code"], error["detail"]))


def wait_for_import(portage, path):
    """Returns the process when it has ended."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    delay = 0.2
    while time.monotonic() < deadline:
        status, process = portage.get(path)
        if status == 200 and process["status"] not in ("PENDING", "IN_PROGRESS"):
            return process
        time.sleep(delay)
        delay = min(delay * 1.5, 5)
    raise SystemExit("The import has not ended within %d s. It continues." % MAX_WAIT_SECONDS)


def list_failed_imports(portage, supplier):
    query = urllib.parse.urlencode({"status": "ERRORED", "include": "status,error"})
    path = "/v1/data-import/all-account-import-processes/%s/?%s" % (quote(supplier), query)
    status, items = portage.get(path)
    if status != 200:
        print_errors(items)
        return
    print("Failed imports of %s: %d" % (supplier, len(items)))
    for item in items:
        error = item["error"] or {}
        print("%s: %s: %s" % (item["external_account_number"], error.get("code"), error.get("detail")))


def quote(text):
    return urllib.parse.quote(text, safe="")


def import_account(portage, account):
    """Returns True if the account is imported."""
    status, answer = portage.post("/v2/data-import/accounts/validate/", account)
    if status == 200:
        status, answer = portage.post("/v2/data-import/accounts/", account)
    if status not in (200, 201):
        print_errors(answer)
        return False
    identifier = account.get("external_identifier") or account["external_account_number"]
    path = "/v2/data-import/accounts/%s/%s/" % (quote(account["import_supplier"]), quote(identifier))
    process = wait_for_import(portage, path)
    print("%s: %s %s" % (identifier, process["status"], process["platform_identifier"] or ""))
    if process["latest_error"] is not None:
        print_errors(process["latest_error"])
    return process["status"] == "PROCESSED"


def main():
    if len(sys.argv) != 3 or not os.environ.get("PORTAGE_API_KEY"):
        raise SystemExit("Usage: PORTAGE_API_KEY=... import_account.py BASE_URL ACCOUNT.json")
    _, base_url, path = sys.argv
    with open(path, encoding="utf-8") as file:
        account = json.load(file)
    portage = Portage(base_url, os.environ["PORTAGE_API_KEY"])
    is_imported = import_account(portage, account)
    list_failed_imports(portage, account["import_supplier"])
    sys.exit(0 if is_imported else 1)


if __name__ == "__main__":
    main()
