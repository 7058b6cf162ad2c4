"""Asks the Onceover service. Python's standard library only."""

import http.client
import json
import ssl
import threading
import time
import uuid
from urllib.parse import quote, urlsplit

MOST_ITEMS = 1000
LONGEST_PAUSE = 10.0


class ServiceError(Exception):
    """The service cannot be asked; the message says why and what to do. ``status`` is 0 where no answer came."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status

    @property
    def may_pass(self):
        return self.status in (0, 429) or self.status >= 500


class Client:
    """Sends batches for one namespace and round.

    A request that has to be sent again carries the same Idempotency-Key: a lost reply loses no page.
    """

    def __init__(self, url, token, namespace="default", round="all", lease=300.0, tries=5, pause=0.2, timeout=60.0):
        """``tries``: how often a request is sent that is not answered; ``None``: until it is. Times are in seconds."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ServiceError(0, f"{url!r} is not the address of a service, such as http://127.0.0.1:8321")
        if not token:
            raise ServiceError(401, "Set ONCEOVER_TOKEN to the token that `onceover serve` printed")
        self.url = url
        self.lease = lease
        self.tries = tries
        self._parts = parts
        self._token = token
        self._namespace = namespace
        self._round = round
        self._pause = pause
        self._timeout = timeout
        self._hurry = threading.Event()
        # Called with the error each time before a request is sent again.
        self.on_retry = lambda error: None

    def finish(self, tries=2):
        """From now on nothing is waited for: the crawl ends."""
        self.tries = tries
        self._hurry.set()

    def ask(self, verb, items):
        """One answer for each item, in order. Verbs: mark, is_seen, lease, commit, release, extend.

        Raises ServiceError.
        """
        body = {"round": self._round}
        if verb in ("lease", "extend"):
            body["lease_ms"] = int(self.lease * 1000)
        return self._batches(verb, items, body)

    def redirects(self, items):
        """Items ``{"from": url, "to": url, "permanent": True}``. Raises ServiceError."""
        return self._batches("redirects", items, {})

    def _batches(self, verb, items, body):
        answers = []
        for start in range(0, len(items), MOST_ITEMS):
            batch = items[start : start + MOST_ITEMS]
            answered = self._post(verb, {**body, "items": batch})
            if len(answered) != len(batch):
                raise ServiceError(200, f"{self.url} answered {len(answered)} of {len(batch)} items")
            answers.extend(answered)
        return answers

    def _post(self, verb, body):
        key = str(uuid.uuid4())
        attempt = 1
        while True:
            try:
                return self._send(verb, body, key)
            except ServiceError as error:
                if not error.may_pass or (self.tries is not None and attempt >= self.tries):
                    raise
                self.on_retry(error)
                pause = min(self._pause * 2 ** min(attempt - 1, 10), LONGEST_PAUSE)
                if self._hurry.is_set():
                    time.sleep(min(pause, 0.2))
                else:
                    self._hurry.wait(pause)
                attempt += 1

    def _send(self, verb, body, key):
        parts = self._parts
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=self._timeout, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=self._timeout)
        path = f"{parts.path.rstrip('/')}/v1/ns/{quote(self._namespace, safe='')}/{verb}"
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "Connection": "close",
        }
        try:
            connection.request("POST", path, json.dumps(body).encode(), headers)
            response = connection.getresponse()
            status, text = response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            why = str(error) or type(error).__name__
            raise ServiceError(0, f"No service answers at {self.url} ({why}). Start it with: onceover serve") from error
        finally:
            connection.close()
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            answer = {}
        if status == 200 and isinstance(answer.get("items"), list):
            return answer["items"]
        detail = answer.get("error", {}).get("detail", "This is not an Onceover service.")
        raise ServiceError(status, f"{self.url} answers {status}: {detail}")
